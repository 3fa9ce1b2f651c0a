#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds software of the distribution with our dtrace and no other, and says what probes came out. Not a part of the
# tests that everybody runs: it fetches source packages and takes minutes each.
#
#     test/usdt/rebuild.sh [-d DTRACE] [-w FOLDER] PACKAGE...        PACKAGE: tcl8.6 python3.11 postgresql-15 perl
#
# For each package: the source, unmodified, is configured with its own switch for DTrace and made by one job. Then the
# sites, probes and semaphores of the results are counted, compared with the distribution's own file if that is installed
# and has probes, and a program of the package is run. Installs nothing; wants dpkg-dev and the compiler.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dtrace=$here/../../build/release/bin/dtrace
work=$(mktemp -d -t dtrace-rebuild.XXXXXX)
while getopts d:w: flag; do
  case $flag in
    d) dtrace=$OPTARG ;;
    w) work=$OPTARG ;;
    *) echo "usage: $0 [-d DTRACE] [-w FOLDER] PACKAGE..." >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
mkdir -p "$work/bin" "$work/apt/lists/partial" "$work/apt/sources.d"
install -m755 "$dtrace" "$work/bin/dtrace"
export PATH=$work/bin:$PATH
# Some configure scripts look for <sys/sdt.h> before they believe in a dtrace.
export CPPFLAGS="-I$(cd "$here/../../usdt/include" && pwd)"

# Package sources are those that are configured, with sources instead of binaries; the system's lists stay as they are.
for file in /etc/apt/sources.list.d/*.sources; do
  [ -e "$file" ] && sed 's/^Types:.*/Types: deb-src/' "$file" >"$work/apt/sources.d/$(basename "$file")"
done
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -e "$file" ] && sed -n 's/^deb /deb-src /p' "$file" >"$work/apt/sources.d/$(basename "$file" .list).list"
done
apt_source() {
  apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/apt/sources.d" \
    -o Dir::State::lists="$work/apt/lists" -o APT::Sandbox::User=root "$@"
}

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

report() { # PACKAGE OURS [THEIRS]
  echo "$1: ours (sites probes semaphores): $(counts $2)"
  if [ -n "${3-}" ] && [ -e "$3" ]; then echo "$1: the distribution's $3: $(counts "$3")"; fi
}

build_tcl8.6() {
  cd unix
  ./configure --enable-dtrace >configure.out
  make -j1 >make.out
  report tcl8.6 libtcl8.6.so /usr/lib/x86_64-linux-gnu/libtcl8.6.so
  LD_LIBRARY_PATH=. TCL_LIBRARY=../library ./tclsh <<<'puts [expr {6 * 7}]' | grep -qx 42
}

build_python3.11() {
  mkdir -p build-dtrace && cd build-dtrace
  ../configure --with-dtrace --without-ensurepip >configure.out
  make -j1 python >make.out
  report python3.11 python /usr/bin/python3.11
  ./python -c 'print(6 * 7)' | grep -qx 42
}

build_postgresql-15() {
  ./configure --enable-dtrace --without-readline --without-zlib --without-icu >configure.out
  make -j1 -C src/backend >make.out
  report postgresql-15 src/backend/postgres /usr/lib/postgresql/15/bin/postgres
  src/backend/postgres -V
}

build_perl() {
  sh ./Configure -des -Dusedtrace -Dccflags=-O1 >configure.out
  make -j1 perl >make.out
  report perl perl /usr/bin/perl
  ./perl -e 'print 6 * 7' | grep -qx 42
}

apt_source update >"$work/update.log" 2>&1 || { tail -5 "$work/update.log"; exit 1; }
status=0
fetch() { # PACKAGE: into the current folder
  # The newest version is not on every mirror; the release's own is.
  apt_source source "$1" || { rm -rf ./*.orig* && apt_source source "$1/$(. /etc/os-release && echo "$VERSION_CODENAME")"; }
}
export work
export -f apt_source counts report fetch build_tcl8.6 build_python3.11 build_postgresql-15 build_perl
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
