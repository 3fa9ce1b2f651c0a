#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds software of the distribution with our dtrace and no other, and sees that it works and that its probes do. Not a
# part of the tests that everybody runs: it fetches source packages, and takes minutes each (PostgreSQL ten on one core).
#
#     test/usdt/rebuild.sh [-d DTRACE] [-w FOLDER] [NAME...]         NAME: tcl perl python ruby postgresql; else all
#
# For each: the source, unmodified, is configured with its own switch for DTrace and made; a part of its own tests is run;
# the sites, probes and semaphores are counted, and are those of the distribution's own file if that is installed and has
# probes; and what a program of a known number of calls does is counted alike by our tracer and, if installed, bpftrace.
# Installs nothing; wants root, dpkg-dev, the compiler and network. MAKEFLAGS=-j4 makes with four jobs; with ccache a
# second run is a matter of a minute.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/sources.sh"
for file in /usr/include/sys/sdt.h /usr/include/*/sys/sdt.h; do
  [ ! -e "$file" ] || { echo "SystemTap's $file is installed, and would be used"; exit 1; }
done
# Some configure scripts look for <sys/sdt.h> before they believe in a dtrace.
export CPPFLAGS="-I$(cd "$here/../../usdt/include" && pwd)"
export MAKEFLAGS=${MAKEFLAGS:--j$(nproc)}
[ ! -d /usr/lib/ccache ] || export PATH=/usr/lib/ccache:$PATH

# counts FILE: "sites probes semaphores".
counts() {
  readelf -nW "$1" | awk '
    /Provider: /  { provider = $NF }
    /^ *Name: /   { sites++; probes[provider ":" $2] = 1 }
    /Semaphore: / { sub(/.*Semaphore: /, ""); if ($1 !~ /^0x0+$/) semaphores[provider ":" $1] = 1 }
    END { print sites + 0, length(probes), length(semaphores) }'
}
sites_by_name() { readelf -nW "$1" | awk '/^ *Name: / { n[$2]++ } END { for (name in n) print name, n[name] }' | sort; }

# compare OURS THEIRS: what our build has, and the distribution's, which has as many of each probe if it has any.
compare() {
  local ours theirs
  ours=$(counts "$1")
  [ "$ours" != "0 0 0" ] || { echo "no probes in $1"; return 1; }
  echo "  sites, probes, semaphores: $ours"
  [ -e "$2" ] || { echo "  the distribution's $2 is not installed"; return 0; }
  theirs=$(counts "$2")
  echo "  the distribution's $2: $theirs"
  [ "$theirs" = "0 0 0" ] || diff <(sites_by_name "$1") <(sites_by_name "$2") >&2
}

# own_tests WHAT PATTERN COMMAND...: the program's tests, whose output has a line like the pattern if they pass.
own_tests() {
  "${@:3}" >tests.out 2>&1 </dev/null || { tail -20 tests.out >&2; return 1; }
  echo "  its tests, $1: $(grep -E "$2" tests.out | tail -1)"
  grep -qE "$2" tests.out
}

# fires WHAT EXPECTED OURS THEIRS: one number, from our tracer and from bpftrace, which may not be there.
fires() {
  echo "  $1: dtrace $3, bpftrace ${4:-not installed}"
  [ "$3" = "$2" ] && { [ -z "$4" ] || [ "$4" = "$2" ]; }
}

# by_dtrace COMMAND PROGRAM, by_bpftrace COMMAND PROGRAM: the number that the D or bpftrace program prints at its end.
by_dtrace() { dtrace -q -c "$1" -n "$2" | awk '/^count / { print $2 }'; }
by_bpftrace() {
  command -v bpftrace >/dev/null || return 0
  bpftrace -q -c "$1" -e "$2" 2>bpftrace.err | awk '/^@count: / { n = $2 } END { print n + 0 }'
}

# by_bpftrace_in_all COMMAND PROGRAM: the same for probes in libraries, and of processes that the command does not start:
# bpftrace looks for probes in the program of its -c only.
by_bpftrace_in_all() {
  command -v bpftrace >/dev/null || return 0
  bpftrace -q --usdt-file-activation -e "$2 interval:ms:100 { printf(\"ready\\n\"); }" >bpftrace.out 2>bpftrace.err &
  local tracer=$!
  until grep -q ready bpftrace.out; do kill -0 "$tracer" 2>/dev/null || { tail -3 bpftrace.err >&2; return 1; }; sleep 0.1; done
  $1
  # One signal may be lost while it starts.
  until [ ! -e "/proc/$tracer" ] || grep -q '^State:.Z' "/proc/$tracer/status"; do kill -INT "$tracer"; sleep 0.2; done
  wait "$tracer" || true
  awk '/^@count: / { n = $2 } END { print n + 0 }' bpftrace.out
}

source_of_tcl=tcl8.6
build_tcl() {
  cd unix
  ./configure --enable-dtrace >configure.out
  make >make.out 2>&1
  compare libtcl8.6.so /usr/lib/x86_64-linux-gnu/libtcl8.6.so
  make tcltest >>make.out 2>&1
  own_tests 'expressions, lists, procedures' 'Failed[[:space:]]*0$' make test-tcl TESTFLAGS="-file 'expr.test list.test proc.test'"
  printf 'proc work {n} { return $n }\nfor {set i 0} {$i < 30} {incr i} { work $i }\n' >work.tcl
  export LD_LIBRARY_PATH=. TCL_LIBRARY=../library
  # Tcl has this probe twice, one after the other.
  fires 'calls of work, told twice' 60 "$(by_dtrace './tclsh work.tcl' 'tcl$target:::proc-entry /copyinstr(arg0) == "work"/ { n++; }
      END { printf("count %d\n", n); }')" \
    "$(by_bpftrace_in_all './tclsh work.tcl' "usdt:\"$PWD/libtcl8.6.so\":tcl:proc__entry /str(arg0) == \"work\"/ { @count = count(); }")"
}

source_of_python=python3.11
build_python() {
  mkdir build-dtrace && cd build-dtrace
  ../configure --with-dtrace --without-ensurepip >configure.out
  make >make.out 2>&1
  compare python /usr/bin/python3.11
  own_tests 'grammar, generators, coroutines' 'result: SUCCESS' ./python -m test test_grammar test_generators test_gc test_coroutines
  # Its test of probes runs dtrace. This version tells neither calls between functions in Python nor has the opcodes that
  # the other cases there ask for.
  own_tests 'D script of lines, by our tracer' 'result: SUCCESS' env -u PYTHONUNBUFFERED ./python -m test -v -m test_line test_dtrace
  printf 'def work(n): return n\nfor i in range(50): work(i)\n' >work.py
  # It tells such calls only while its lines are traced.
  fires 'calls of work()' 50 "$(by_dtrace './python work.py' 'python$target:::line { lines++; }
      python$target:::function-entry /copyinstr(arg1) == "work"/ { n++; } END { printf("count %d\n", n); }')" \
    "$(by_bpftrace './python work.py' 'usdt:./python:python:line { @lines = count(); }
      usdt:./python:python:function__entry /str(arg1) == "work"/ { @count = count(); }')"
}

source_of_ruby=ruby3.1
build_ruby() {
  # Its own -O3 inlines more than the distribution's flags.
  ./configure --enable-shared --enable-dtrace --disable-install-doc --with-baseruby=no optflags=-O2 >configure.out 2>&1
  make ruby >make.out 2>&1
  compare libruby*.so.3.1 /usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1
  # It reports methods written in Ruby only while a tracer of its own is on.
  printf 'def work(n); n; end\nTracePoint.new(:call) { }.enable\n60.times { |i| work(i) }\n' >work.rb
  export LD_LIBRARY_PATH=.
  own_tests 'of methods and literals' '^PASS all' make btest-ruby BTESTS="bootstraptest/test_method.rb bootstraptest/test_literal.rb"
  fires 'calls of work' 60 "$(by_dtrace './ruby --disable=gems work.rb' 'ruby$target:::method-entry /copyinstr(arg1) == "work"/ { n++; }
      END { printf("count %d\n", n); }')" \
    "$(by_bpftrace_in_all './ruby --disable=gems work.rb' \
      "usdt:\"$PWD/libruby.so.3.1\":ruby:method__entry /str(arg1) == \"work\"/ { @count = count(); }")"
}

# A server of the tree just built, as an unprivileged user, in a folder of its own.
source_of_postgresql=postgresql-15
build_postgresql() {
  ./configure --prefix="$PWD/installed" --enable-dtrace --without-readline --without-zlib --without-icu \
    --with-system-tzdata=/usr/share/zoneinfo >configure.out
  local part
  # In the order that the whole's makefile has, which builds much more.
  make -C src/backend generated-headers >make.out 2>&1
  for part in port common backend; do make -C src/$part >>make.out 2>&1; done
  for part in backend include interfaces/libpq bin/initdb bin/pg_ctl bin/psql backend/snowball pl/plpgsql timezone; do
    make -C src/$part install >>make.out 2>&1
  done
  make -C src/test/regress >>make.out 2>&1
  compare installed/bin/postgres /usr/lib/postgresql/15/bin/postgres
  local bin status=0
  folder=$(mktemp -d /tmp/dt-pg.XXXXXX)
  cp -r installed src/test/regress "$folder"
  chown -R nobody "$folder"
  bin=$folder/installed/bin
  as_nobody() { (cd "$folder" && setpriv --reuid nobody --clear-groups env HOME="$folder" "$@"); }
  as_nobody "$bin/initdb" -D "$folder/data" -A trust -U test --no-sync >initdb.out
  as_nobody "$bin/pg_ctl" -D "$folder/data" -w -s -l "$folder/log" -o "-k $folder -c listen_addresses= -c fsync=off" start
  use_server || status=$?
  as_nobody "$bin/pg_ctl" -D "$folder/data" -s -m immediate stop
  rm -rf "$folder"
  return $status
}
use_server() {
  printf "SELECT %d AS a;\n" $(seq 30) >"$folder/queries.sql"
  chmod a+r "$folder/queries.sql"
  local client="$(command -v setpriv) --reuid nobody --clear-groups $bin/psql -h $folder -U test -q -o /dev/null -f $folder/queries.sql postgres"
  fires 'queries of psql' 30 "$(by_dtrace "$client" 'postgresql*:::query-start /strstr(copyinstr(arg0), "AS a") != NULL/ { n++; }
    END { printf("count %d\n", n); }')" \
    "$(by_bpftrace_in_all "$client" "usdt:$bin/postgres:postgresql:query__start /strncmp(str(arg0), \"SELECT\", 6) == 0/ { @count = count(); }")" || return
  own_tests 'types, sorting, transactions' 'All .* tests passed' as_nobody "$folder/regress/pg_regress" --inputdir="$folder/regress" \
    --outputdir="$folder/regress" --bindir="$bin" --dlpath="$folder/regress" --host="$folder" --user=test \
    test_setup boolean int4 int8 text numeric create_index tuplesort transactions
}

source_of_perl=perl
build_perl() {
  sh ./Configure -des -Dusedtrace="$work/bin/dtrace" >configure.out 2>&1 </dev/null
  make >make.out 2>&1
  compare perl /usr/bin/perl
  (cd t && ln -sf ../perl perl)
  own_tests 'of commands, operators and patterns' '^All tests successful' sh -c 'cd t && ./perl harness base/*.t cmd/*.t op/*.t re/pat.t'
  printf 'sub work { return $_[0]; }\nwork($_) for 1..40;\n' >work.pl
  fires 'calls of work()' 40 "$(by_dtrace './perl -Ilib work.pl' 'perl$target:::sub-entry /copyinstr(arg0) == "work"/ { n++; }
      END { printf("count %d\n", n); }')" \
    "$(by_bpftrace './perl -Ilib work.pl' 'usdt:./perl:perl:sub__entry /str(arg0) == "work"/ { @count = count(); }')"
}

names=("$@")
[ $# != 0 ] || names=(tcl perl python ruby postgresql)
status=0
export -f counts sites_by_name compare own_tests fires by_dtrace by_bpftrace by_bpftrace_in_all use_server
export -f build_tcl build_python build_ruby build_postgresql build_perl
for name in "${names[@]}"; do
  package=source_of_$name
  folder=$work/$name
  rm -rf "$folder"
  mkdir -p "$folder"
  echo "$name:"
  # A shell of its own, because `set -e` has no effect within a condition.
  if ! bash -euc 'cd "$1"; fetch "$2" >fetch.log 2>&1; cd "$(find . -mindepth 1 -maxdepth 1 -type d | grep .)"; "build_$3"' \
    - "$folder" "${!package}" "$name" 2>"$folder/errors.log"; then
    echo "  failed: see $folder"
    tail -5 "$folder/errors.log"
    status=1
  fi
done
exit $status
