#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the calls of `dtrace -h` and `-G` that software of the distribution makes, with that software's own provider files
# and its own sed, and compiles a use of every macro that comes out, in C and C++. Fetches source packages, so it is no part
# of the tests that everybody runs; it takes five minutes, and half a gigabyte of traffic.
#
#     test/usdt/command_lines.sh [-d DTRACE] [-w FOLDER] [NAME...]        NAME: a row of the table below
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/sources.sh"

# package: fetches a source package once and takes out what its build gives to dtrace. Leaves in the source's folder.
package() { # PACKAGE PATTERN
  mkdir -p "$work/$1" && cd "$work/$1" || return 1
  if [ ! -e fetched ]; then
    fetch "$1" --download-only >fetch.log 2>&1 || { echo "$1: not fetched: $(tail -1 fetch.log)"; return 1; }
    local archive
    for archive in *.orig*.tar.*; do
      case $archive in *.asc) continue ;; esac
      tar tf "$archive" | grep -E "$2" | grep -v '/$' >list
      [ -s list ] && tar xf "$archive" -T list
    done
    rm -f ./*.tar.*
    touch fetched
  fi
  cd "$(find . -mindepth 1 -maxdepth 1 -type d | head -1)" || return 1
}

# uses HEADER: compiles a call of each macro and each test for "enabled" that the header has, in its own spelling.
uses() {
  local header=$1 name n language
  # For a probe the number of arguments, for a test -1.
  awk '/^#define [A-Za-z_][A-Za-z0-9_]*\(.*\) *\(\(void\) 0\)|^#define [A-Za-z_][A-Za-z0-9_]*_(ENABLED|enabled)\(\) *\(0\)/ {
    name = $0; sub(/^#define /, "", name); list = name; sub(/\(.*/, "", name); sub(/^[^(]*\(/, "", list); sub(/\).*/, "", list)
    n = list ~ /[a-z]/ ? split(list, unused, ",") : 0; print name, / \(0\)$/ ? -1 : n }' "$header" >"$work/macros"
  cat "$work/macros" >>"$work/$row.macros"
  [ -s "$work/macros" ] || { echo "no macros in $header"; return 1; }
  {
    echo "#include \"$header\""
    echo 'int main(void) { int on = 0;'
    while read -r name n; do
      case $n in
        -1) echo "if ($name()) on++;" ;;
        *) echo "$name($(for ((i = 0; i < n; i++)); do [ $i = 0 ] || printf ', '; printf 0; done));" ;;
      esac
    done <"$work/macros"
    echo 'return on; }'
  } >"$work/use.c"
  for language in c c++; do
    gcc -x $language -O2 -Wall -Wextra -Werror -I. "$work/use.c" -o "$work/use" -lstdc++ || return 1
    "$work/use" || return 1
  done
  [ "$(readelf -nW "$work/use" | grep -c ' Name: ')" = "$(grep -vc ' -1$' "$work/macros")" ] || { echo "sites of $header"; return 1; }
}

provider_notes() { readelf -nW "$1" | grep -c '^ *dtrace '; }

# linked OBJECT: makes a program of the last use and the object, twice.
linked() { gcc -O2 -I. "$work/use.c" "$1" "$1" -o "$work/linked" && "$work/linked"; }

line_postgresql() {
  package postgresql-15 'utils/probes\.d$' && cd src/backend &&
    dtrace -C -h -s utils/probes.d -o probes.h.tmp &&
    sed -e 's/POSTGRESQL_/TRACE_POSTGRESQL_/g' -e 's/( *char \*/(const char */g' -e 's/, *char \*/, const char */g' probes.h.tmp >probes.h &&
    uses probes.h && gcc -c -O2 -I. "$work/use.c" -o use.o && dtrace -C -G -s utils/probes.d use.o -o utils/probes.o && linked utils/probes.o
}
line_python() {
  package python3.11 'Include/pydtrace\.d$' && dtrace -o Include/pydtrace_probes.h -h -s Include/pydtrace.d &&
    sed 's/PYTHON_/PyDTrace_/' Include/pydtrace_probes.h >probes.h && uses probes.h &&
    gcc -c -O2 -I. "$work/use.c" -o use.o && dtrace -o pydtrace.o -G -s Include/pydtrace.d use.o && linked pydtrace.o &&
    echo BEGIN >conftest.d && dtrace -G -s conftest.d -o conftest.o
}
line_ruby() {
  package ruby3.1 '/probes\.d$|/vm_opts\.h$' && dtrace -o probes.h.tmp -h -C -I. -s probes.d &&
    sed -e 's/RUBY_/RUBY_DTRACE_/g' -e 's/PROBES_H_TMP/RUBY_PROBES_H/' -e 's/(char \*/(const char */g' -e 's/, char \*/, const char */g' \
      probes.h.tmp >probes.h && uses probes.h && gcc -c -O2 -I. "$work/use.c" -o use.o && cp use.o before.o &&
    dtrace -G -C -I. -s probes.d -o probes.o use.o && cmp use.o before.o && linked probes.o &&
    echo 'provider conftest { probe fire(); };' >conftest_provider.d && dtrace -xnolibs -h -o conftest_provider.h -s conftest_provider.d &&
    uses conftest_provider.h && gcc -c -I. "$work/use.c" -o conftest.o && cp conftest.o before.o &&
    dtrace -xnolibs -G -s conftest_provider.d conftest.o && cmp conftest.o before.o
}
line_perl() {
  package perl '/perldtrace\.d$' && dtrace -xnolibs -h -s perldtrace.d -o perldtrace.h.in &&
    sed -e '/const/!s/char *\*/const char */g' perldtrace.h.in >perldtrace.h && uses perldtrace.h &&
    gcc -c -O2 -I. "$work/use.c" -o mini.o && gcc -c -O2 -I. -DX "$work/use.c" -o main.o &&
    dtrace -xnolibs -G -s perldtrace.d -o dtrace_mini.o mini.o && dtrace -xnolibs -G -s perldtrace.d -o dtrace_main.o main.o &&
    gcc -O2 -I. "$work/use.c" dtrace_mini.o dtrace_main.o -o "$work/linked" && "$work/linked"
}
line_php() {
  package php8.2 'Zend/zend_dtrace\.d$' && cd Zend && CC= CFLAGS= dtrace -h -C -s zend_dtrace.d -o zend_dtrace_gen.h.bak &&
    sed -e 's,PHP_,DTRACE_,g' zend_dtrace_gen.h.bak >zend_dtrace_gen.h && uses zend_dtrace_gen.h &&
    gcc -c -O2 -I. "$work/use.c" -o use.o && mkdir -p .libs &&
    CC= CFLAGS= dtrace -G -o .libs/zend_dtrace.d.o -s zend_dtrace.d use.o 2>/dev/null && test -f .libs/zend_dtrace.d.o && linked .libs/zend_dtrace.d.o
}
line_libvirt() {
  local file
  package libvirt 'probes\.d$' || return 1
  for file in src/libvirt_probes src/qemu/libvirt_qemu_probes; do
    env CC=cc dtrace -o $file.h -h -s $file.d && uses $file.h && env CC=cc dtrace -o $file.o -G -s $file.d && linked $file.o || return 1
  done
}
line_tcl() {
  package tcl8.6 'tclDTrace\.d$' && cd generic && dtrace -h -o tclDTrace.h -s tclDTrace.d && uses tclDTrace.h &&
    gcc -c -O2 -I. "$work/use.c" -o use.o && dtrace -G -o tclDTrace.o -s tclDTrace.d use.o && linked tclDTrace.o
}
line_erlang() {
  package erlang 'beam/erlang_dtrace\.d$' && cd erts/emulator && dtrace -h -C -Ibeam -s beam/erlang_dtrace.d -o ./erlang_dtrace.tmp &&
    sed -e '/^#define[ 	]*ERLANG_[A-Z0-9_]*(.*)/y/ABCDEFGHIJKLMNOPQRSTUVWXYZ/abcdefghijklmnopqrstuvwxyz/' erlang_dtrace.tmp >erlang_dtrace.h &&
    uses erlang_dtrace.h && gcc -c -O2 -I. "$work/use.c" -o use.o && dtrace -G -C -Ibeam -s beam/erlang_dtrace.d -o erlang_dtrace.o use.o &&
    linked erlang_dtrace.o
}
line_glib() {
  local file
  package glib2.0 '_probes\.d$' || return 1
  for file in $(find . -name '*_probes.d'); do
    dtrace -h -s $file -o ${file%.d}.h && uses ${file%.d}.h && dtrace -G -s $file -o ${file%.d}.o && linked ${file%.d}.o || return 1
  done
}
line_xorg() {
  package xorg-server 'include/Xserver\.d$' && dtrace -C -h -o Xserver-dtrace.h -s include/Xserver.d && uses Xserver-dtrace.h &&
    gcc -c -O2 -I. "$work/use.c" -o use.o && dtrace -G -C -o dtrace-dix.o -s include/Xserver.d use.o && linked dtrace-dix.o &&
    dtrace -h -s include/Xserver.d -o meson.h && uses meson.h && dtrace -G -s include/Xserver.d -o meson.o && linked meson.o
}

line_qemu() {
  local group file
  package qemu '/scripts/tracetool|/trace-events$' || return 1
  : >empty.dtrace
  for group in root:trace-events linux_user:linux-user/trace-events hw_net:hw/net/trace-events hw_usb:hw/usb/trace-events \
    ui:ui/trace-events migration:migration/trace-events; do
    python3 scripts/tracetool.py --backend=dtrace --group=${group%%:*} --format=d ${group#*:} trace-dtrace-${group%%:*}.dtrace || return 1
  done
  for file in trace-dtrace-*.dtrace; do
    dtrace -DSTAP_SDT_V2 -o ${file%trace}.h -h -s $file && dtrace -DSTAP_SDT_V2 -o ${file%.dtrace}.o -G -s $file || return 1
    uses ${file%trace}.h && gcc -c -O2 -I. "$work/use.c" -Dmain=${file//[.-]/_} -o use-${file%.dtrace}.o || return 1
  done
  dtrace -DSTAP_SDT_V2 -o empty.h -h -s empty.dtrace && dtrace -DSTAP_SDT_V2 -o empty.o -G -s empty.dtrace &&
    echo 'int main(void) { return 0; }' >all.c && gcc all.c ./*.o -o all && ./all && [ "$(provider_notes all)" -gt 1 ]
}
line_node() {
  package nodejs '/src/(node_provider|v8ustack|node)\.d$' && dtrace -h -s src/node_provider.d -o node_provider.h && uses node_provider.h &&
    dtrace -C -G -s src/node_provider.d -o node_dtrace_provider.o && linked node_dtrace_provider.o &&
    dtrace -h -xnolibs -s src/node_provider.d -o other.h && cmp <(tail -n +4 other.h) <(tail -n +4 node_provider.h) &&
    gcc -c -O2 -I. "$work/use.c" -o use.o && dtrace -G -xnolibs -s src/node_provider.d use.o -o other.o && linked other.o &&
    : >v8constants.h && : >v8abbr.h && ! dtrace -C -32 -I. -Isrc -o ustack.o -G -s src/v8ustack.d 2>ustack.err && grep -q helper ustack.err
}
# Configure writes these: they say how wide things are.
line_ghc() {
  package ghc '/includes/.*\.h$|/rts/RtsProbes\.d$' && mkdir -p generated &&
    printf '#define SIZEOF_VOID_P 8\n#define SIZEOF_LONG 8\n' >generated/ghcautoconf.h && : >generated/ghcplatform.h &&
    dtrace -Iincludes -Igenerated -Irts -C -h -o rts/RtsProbes.h -s rts/RtsProbes.d && uses rts/RtsProbes.h &&
    gcc -c -O2 -I. "$work/use.c" -o use.o && gcc -c -O2 -I. -Dmain=other "$work/use.c" -o other.o &&
    dtrace -G -C -Iincludes -Igenerated -Irts -DDTRACE -s rts/RtsProbes.d -o RtsProbes.o use.o other.o && linked RtsProbes.o &&
    ld -r -o all.o RtsProbes.o use.o other.o && gcc all.o -o all && ./all
}
line_openjdk() {
  local name
  package openjdk-17 '/os/posix/dtrace/.*\.d$' && cd src/hotspot/os/posix/dtrace || return 1
  for name in hotspot hotspot_jni hs_private; do
    cc -E -x c $name.d >$name.tmp && dtrace -h -o $name.h -s $name.tmp && uses $name.h && dtrace -64 -h -o $name.h -s $name.tmp || return 1
  done
  # One source includes all three after SystemTap's header, or what is there instead.
  printf '#include <sys/sdt.h>\n#include "hotspot.h"\n#include "hotspot_jni.h"\n#include "hs_private.h"\nint main() { HOTSPOT_GC_BEGIN(1); }\n' >all.cc &&
    g++ -Wall -Wextra -Werror -I"$here/../../usdt/include" all.cc -o all && ./all
}
# MySQL's definitions live on in MariaDB, with their CMake rules: two runs over the objects, which are distinguished by their times.
line_mariadb() {
  package mariadb 'include/probes_mysql\.d\.base$' && cp include/probes_mysql.d.base probes_mysql.d &&
    dtrace -h -s probes_mysql.d -o probes_mysql_dtrace.h && uses probes_mysql_dtrace.h && gcc -c -O2 -I. "$work/use.c" -o use.o &&
    touch -d 2020-01-01 use.o && cp -p use.o before.o && dtrace -64 -o probes.o -G -s probes_mysql.d use.o && cmp use.o before.o &&
    [ ! use.o -nt before.o ] && dtrace -o probes.o -G -s probes_mysql.d use.o && linked probes.o
}
line_memcached() {
  package memcached '/memcached_dtrace\.d$' && dtrace -h -s memcached_dtrace.d &&
    sed -e 's,void \*,const void \*,' memcached_dtrace.h | sed -e 's,char \*,const char \*,g' | tr '\t' ' ' >mmc_dtrace.tmp &&
    mv mmc_dtrace.tmp memcached_dtrace.h && uses memcached_dtrace.h && gcc -c -O2 -I. "$work/use.c" -o use.o &&
    dtrace -G -o memcached_dtrace.o -s memcached_dtrace.d use.o && linked memcached_dtrace.o
}
line_sssd() {
  package sssd '/sssd_probes\.d$' && dtrace -C -h -s src/systemtap/sssd_probes.d -o stap_generated_probes.h && uses stap_generated_probes.h &&
    dtrace -C -G -s src/systemtap/sssd_probes.d -o stap_generated_probes.o && linked stap_generated_probes.o &&
    gcc -shared -fPIC -I. "$work/use.c" stap_generated_probes.o -o libuse.so
}
line_lttng() {
  package ltt-control '/foobar_provider\.d$' && cd tests/utils/testapp/userspace-probe-sdt-binary &&
    dtrace -s foobar_provider.d -o foobar_provider.h -h && uses foobar_provider.h &&
    dtrace -s foobar_provider.d -o foobar_provider.o -G && linked foobar_provider.o &&
    for order in '<sys/sdt.h>:"foobar_provider.h"' '"foobar_provider.h":<sys/sdt.h>'; do
      printf '#include %s\n#include %s\nint main(void) { FOOBAR_TP1(); return FOOBAR_TP_WITH_SEMAPHORE_ENABLED(); }\n' "${order%:*}" "${order#*:}" >order.c &&
        gcc -Wall -Wextra -Werror -I. -I"$here/../../usdt/include" order.c foobar_provider.o -o order && ./order || return 1
    done
}

names=("$@")
[ $# != 0 ] || names=(postgresql python ruby perl php libvirt tcl erlang glib xorg qemu node ghc openjdk mariadb memcached sssd lttng)
status=0
for row in "${names[@]}"; do
  : >"$work/$row.macros"
  if (line_"$row") >"$work/$row.out" 2>&1; then
    echo "$row: $(wc -l <"$work/$row.macros") macros"
  else
    echo "$row: failed: $(tail -3 "$work/$row.out")"
    status=1
  fi
done
[ $# != 0 ] || cat <<'T'
mod_usdt: skipped: the distribution has no source of it; its like is doc/usdt/apache, which golden.usdt builds and traces
MySQL: skipped: as MariaDB, which has its definitions and rules
PostgreSQL 16 with meson, extension modules of Python: skipped: their calls are made above, with -o and -s in another order
T
exit $status
