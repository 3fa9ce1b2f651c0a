#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, moves the result, hides the build folder and the sources, and uses what was installed.
# usage: installed_tree.sh CMAKE BUILD_FOLDER SOURCE_FOLDER LIBDIR
set -eu
cmake=$1 build=$2 source=$3 libdir=$4

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/log" || { cat "$scratch/log"; exit 1; }
mv "$scratch/first" "$scratch/moved"
tree=$scratch/moved

for file in bin/dtrace sbin/dtrace share/man/man8/dtrace.8 share/man/man1/dtrace-usdt.1 share/man/man3/libdtrace.3 include/dtrace.h \
  include/sys/dtrace.h "$libdir/pkgconfig/libdtrace.pc" lib/python3/dist-packages/dtrace/__init__.py include/dtrace/sys/sdt.h \
  include/dtrace/sys/usdt_helpers.h share/dtrace/cmake/DTraceProbes.cmake "$libdir/cmake/DTrace/DTraceConfig.cmake" share/aclocal/dtrace.m4 \
  "$libdir/pkgconfig/dtrace-usdt.pc" share/doc/dtrace/usdt.md share/doc/dtrace/usdt/server.c share/doc/dtrace/LICENSE \
  share/doc/dtrace/metrics.md share/doc/dtrace/contrib/README.md lib/systemd/system/dtrace@.service libexec/dtrace/dtrace-exporter \
  share/doc/dtrace/tutorial.md share/doc/dtrace/architecture.md share/doc/dtrace/examples/opens.d \
  share/bash-completion/completions/dtrace share/zsh/site-functions/_dtrace \
  share/fish/vendor_completions.d/dtrace.fish sbin/opensnoop.d share/man/man8/opensnoop.d.8 share/dtrace/tools/opensnoop.d; do
  [ -e "$tree/$file" ] || { echo "not installed: $file"; exit 1; }
done
if find "$tree/share/doc/dtrace/examples" -name '*.d' ! -perm -a=x | grep .; then
  echo "these examples cannot be run as they stand"
  exit 1
fi
if command -v man >/dev/null; then
  # Without a section: `man` looks into section 1 first.
  for name in dtrace.8 dtrace-usdt.1 libdtrace.3 $(cd "$source/tools" && printf '%s.8 ' *.d); do
    section=${name##*.}
    page=$(man -M "$tree/share/man" -w "${name%.*}")
    [ "$page" = "$tree/share/man/man$section/$name" ] || { echo "man ${name%.*} finds $page"; exit 1; }
    warnings=$(MANWIDTH=80 man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)
    [ -z "$warnings" ] || { echo "$warnings"; exit 1; }
  done
fi
(cd "$source/libdtrace-d" && ls ./*.d "./$(uname -m)"/*.d) | while read -r file; do
  cmp "$source/libdtrace-d/$file" "$tree/$libdir/dtrace/$file"
done
if command -v pkg-config >/dev/null; then
  command=$(PKG_CONFIG_PATH=$tree/$libdir/pkgconfig pkg-config --variable=dtrace dtrace-usdt)
  [ -x "$command" ] && [ "${command#*//}" = "$command" ] || { echo "pkg-config names $command"; exit 1; }
fi
# A project of somebody else's, which finds the package and its command by the prefix alone.
mkdir "$scratch/project"
cat >"$scratch/project/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(project C)
find_package(DTrace 0.1 REQUIRED)
add_executable(one one.c)
dtrace_add_provider(one probes.d)
target_link_libraries(one PRIVATE DTrace::sdt)
CMAKE
echo 'provider project { probe one(int); };' >"$scratch/project/probes.d"
printf '#include <sys/sdt.h>\n#include "probes.h"\nint main(void) { PROJECT_ONE(1); DTRACE_PROBE(project, two); return 0; }\n' \
  >"$scratch/project/one.c"
"$cmake" -S "$scratch/project" -B "$scratch/project/out" -DCMAKE_PREFIX_PATH="$tree" -DCMAKE_BUILD_TYPE= >"$scratch/log" 2>&1 &&
  "$cmake" --build "$scratch/project/out" >>"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
[ "$(readelf -n "$scratch/project/out/one" | grep -c 'Provider: project')" = 2 ] || { echo "no probes by find_package()"; exit 1; }
if find "$tree" -type l -lname '/*' | grep .; then
  echo "absolute links were installed"
  exit 1
fi

if [ "$(id -u)" != 0 ]; then
  echo "hiding the build folder needs root"
  exit 77
fi
unshare --mount true 2>/dev/null || { echo "this machine does not let us hide the build folder (unshare)"; exit 77; }
# Only what was installed is left to be found. The translator of curpsinfo proves that the D library was.
unshare --mount bash -eu -s "$tree" "$build" "$source" <<'INNER'
tree=$1 build=$2 source=$3
mount -t tmpfs none "$build"
mount -t tmpfs none "$source"
cd /
"$tree/bin/dtrace" -V
got=$("$tree/sbin/dtrace" -qn 'BEGIN { printf("%d %s", curpsinfo->pr_pid == pid, execname); exit(0); }')
[ "$got" = "1 dtrace" ] || { echo "the D library answers: $got"; exit 1; }
# A tool finds its script and the command by where it lies itself.
got=$("$tree/sbin/opensnoop.d" -n cat -f /etc/hostname -c 'cat /etc/hostname' | awk '$2 == "cat" { print $4, $5 }')
[ "$got" = "0 /etc/hostname" ] || { echo "opensnoop.d shows: $got"; exit 1; }
INNER
