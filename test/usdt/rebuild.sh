#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds software of the distribution with our dtrace and no other, and says what probes came out. Not a part of the
# tests that everybody runs: it fetches source packages and takes minutes each.
#
#     test/usdt/rebuild.sh [-d DTRACE] [-w FOLDER] PACKAGE...        PACKAGE: tcl8.6 python3.11 postgresql-15 perl
#
# For each package: the source, unmodified, is configured with its own switch for DTrace and made by one job. Then the
# sites, probes and semaphores of the results are counted and compared with the distribution's own file, if that is
# installed and has probes; a program of the package is run, and what its probes count is the same in our tracer and in
# bpftrace, if that is installed. Installs nothing; wants root, dpkg-dev and the compiler.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/sources.sh"
# Some configure scripts look for <sys/sdt.h> before they believe in a dtrace.
export CPPFLAGS="-I$(cd "$here/../../usdt/include" && pwd)"

# counts FILE...: "sites probes semaphores", over all files.
counts() {
  readelf -nW "$@" 2>/dev/null | awk '
    /Provider: /  { provider = $NF }
    /^ *Name: /   { sites++; probes[provider ":" $2] = 1 }
    /Semaphore: / { sub(/.*Semaphore: /, ""); if ($1 !~ /^0x0+$/) semaphores[provider ":" $1] = 1 }
    END {
      for (p in probes) np++
      for (s in semaphores) ns++
      print sites + 0, np + 0, ns + 0
    }'
}

# report PACKAGE OURS [THEIRS]: fails if the distribution's file has probes, and not as many.
report() {
  local ours theirs
  ours=$(counts $2)
  echo "$1: ours (sites probes semaphores): $ours"
  if [ -n "${3-}" ] && [ -e "$3" ]; then
    theirs=$(counts "$3")
    echo "$1: the distribution's $3: $theirs"
    [ "$theirs" = "0 0 0" ] || [ "$ours" = "$theirs" ]
  fi
}

# fires PACKAGE WHAT OURS THEIRS: one number, from our tracer and from bpftrace, which may not be there.
fires() {
  echo "$1: $2: dtrace $3, bpftrace ${4:-not installed}"
  [ "$3" -gt 0 ] && { [ -z "$4" ] || [ "$3" = "$4" ]; }
}

# by_dtrace COMMAND PROGRAM, by_bpftrace COMMAND PROGRAM: the number that the D or bpftrace program prints at its end.
by_dtrace() { dtrace -q -c "$1" -n "$2" | awk '/^count / { print $2 }'; }
by_bpftrace() {
  command -v bpftrace >/dev/null || return 0
  bpftrace -q -c "$1" -e "$2" | awk '/^@count: / { n = $2 } END { print n + 0 }'
}

# by_bpftrace_in_all COMMAND PROGRAM: the same for probes of processes that the command does not start: bpftrace looks
# for probes in the process of its -c only.
by_bpftrace_in_all() {
  command -v bpftrace >/dev/null || return 0
  bpftrace -q --usdt-file-activation -e "BEGIN { printf(\"ready\\n\"); } $2" >bpftrace.out 2>bpftrace.err &
  local tracer=$!
  until grep -q ready bpftrace.out; do kill -0 "$tracer" 2>/dev/null || return 0; sleep 0.1; done
  $1
  kill -INT "$tracer"
  wait "$tracer" || true
  awk '/^@count: / { n = $2 } END { print n + 0 }' bpftrace.out
}

# gcc takes the text of an asm statement for its size unless it is `asm inline`, as in our header. Without that word it
# inlines what it inlines with the distribution's header, and the sites can be compared.
same_inlining=-D__inline__=

build_tcl8.6() {
  cd unix
  ./configure --enable-dtrace >configure.out
  make -j1 >make.out
  report tcl8.6 libtcl8.6.so /usr/lib/x86_64-linux-gnu/libtcl8.6.so
  LD_LIBRARY_PATH=. TCL_LIBRARY=../library ./tclsh <<<'puts [expr {6 * 7}]' | grep -qx 42
}

build_python3.11() {
  mkdir -p build-dtrace && cd build-dtrace
  ../configure --with-dtrace --without-ensurepip CFLAGS="$same_inlining" >configure.out
  make -j1 python >make.out
  report python3.11 python /usr/bin/python3.11
  printf 'def work(n): return n\nfor i in range(50): work(i)\n' >work.py
  ./python -c 'print(6 * 7)' | grep -qx 42
  fires python3.11 'calls of work()' "$(by_dtrace './python work.py' 'python$target:::line { lines++; }
      python$target:::function-entry /copyinstr(arg1) == "work"/ { calls++; } END { printf("count %d\n", calls); }')" \
    "$(by_bpftrace './python work.py' 'usdt:./python:python:line { @lines = count(); }
      usdt:./python:python:function__entry /str(arg1) == "work"/ { @count = count(); }')"
}

# A server of the tree just built, as an unprivileged user, in a folder of its own.
build_postgresql-15() {
  ./configure --prefix="$PWD/installed" --enable-dtrace --without-readline --without-zlib --without-icu \
    --with-system-tzdata=/usr/share/zoneinfo CFLAGS="-O2 $same_inlining" >configure.out
  local part parts="src/backend src/interfaces/libpq src/bin/initdb src/bin/pg_ctl src/bin/psql src/backend/snowball \
    src/pl/plpgsql src/timezone src/include"
  make -j1 -C src/backend >make.out
  for part in $parts; do make -j1 -C "$part" install >>make.out; done
  report postgresql-15 installed/bin/postgres /usr/lib/postgresql/15/bin/postgres
  local folder bin=$PWD/installed/bin
  folder=$(mktemp -d /tmp/dt-pg.XXXXXX)
  cp -r installed "$folder/installed"
  chown -R nobody "$folder"
  bin=$folder/installed/bin
  as_nobody() { (cd / && setpriv --reuid nobody --clear-groups env HOME="$folder" "$@"); }
  as_nobody "$bin/initdb" -D "$folder/data" -A trust -U test --no-sync >initdb.out
  as_nobody "$bin/pg_ctl" -D "$folder/data" -w -s -l "$folder/log" -o "-k $folder -c listen_addresses= -c fsync=off" start
  printf "SELECT %d AS a;\n" $(seq 30) >"$folder/queries.sql"
  chmod a+r "$folder/queries.sql"
  local client="$(command -v setpriv) --reuid nobody --clear-groups $bin/psql -h $folder -U test -q -o /dev/null -f $folder/queries.sql postgres" ours theirs
  ours=$(by_dtrace "$client" 'postgresql*:::query-start /strstr(copyinstr(arg0), "AS a") != NULL/ { n++; }
    END { printf("count %d\n", n); }')
  theirs=$(by_bpftrace_in_all "$client" "usdt:$bin/postgres:postgresql:query__start /strncmp(str(arg0), \"SELECT\", 6) == 0/ { @count = count(); }")
  as_nobody "$bin/pg_ctl" -D "$folder/data" -s -m immediate stop
  rm -rf "$folder"
  fires postgresql-15 'queries of psql' "$ours" "$theirs"
}

build_perl() {
  sh ./Configure -des -Dusedtrace="$work/bin/dtrace" >configure.out 2>&1
  make -j1 perl >make.out 2>&1
  report perl perl /usr/bin/perl
  ./perl -e 'print 6 * 7' | grep -qx 42
  printf 'sub work { return $_[0]; }\nwork($_) for 1..40;\n' >work.pl
  fires perl 'calls of work()' "$(by_dtrace './perl -Ilib work.pl' 'perl$target:::sub-entry /copyinstr(arg0) == "work"/ { n++; }
      END { printf("count %d\n", n); }')" \
    "$(by_bpftrace './perl -Ilib work.pl' 'usdt:./perl:perl:sub__entry /str(arg0) == "work"/ { @count = count(); }')"
}

status=0
export same_inlining
export -f counts report fires by_dtrace by_bpftrace by_bpftrace_in_all build_tcl8.6 build_python3.11 build_postgresql-15 build_perl
for package; do
  folder=$work/$package
  rm -rf "$folder"
  mkdir -p "$folder"
  # A shell of its own, because `set -e` has no effect within a condition.
  if ! bash -euc 'cd "$1"; fetch "$2" >fetch.log 2>&1; cd "$(find . -mindepth 1 -maxdepth 1 -type d | grep .)"; "build_$2"' \
    - "$folder" "$package" 2>"$folder/errors.log"; then
    echo "$package: failed: see $folder"
    tail -5 "$folder/errors.log"
    status=1
  fi
done
exit $status
