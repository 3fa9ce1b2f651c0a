#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# doc/examples/capi and doc/examples/python as somebody else would build and run them: from an installed tree, found by
# pkg-config and PYTHONPATH alone.
# usage: capi.sh CMAKE BUILD_FOLDER SOURCE_FOLDER LIBDIR CC CXX
set -eu
cmake=$1 build=$2 source=$3 libdir=$4 cc=$5 cxx=$6
[ "$(id -u)" = 0 ] || { echo "skipped: needs root"; exit 77; }

scratch=$(mktemp -d)
load=
trap '[ -z "$load" ] || kill "$load"; rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/log" || { cat "$scratch/log"; exit 1; }
mv "$scratch/first" "$scratch/tree"
tree=$scratch/tree

# Every function of the header is in the library; nothing is that is neither C's nor C++'s.
nm -D --defined-only "$tree/$libdir/libdtrace.so" | awk '{ print $NF }' | sed 's/@.*//' | sort >"$scratch/seen"
grep -oE '\bdtrace_\w+(\(dtrace_hdl_t|\(int version|;)' "$tree/include/dtrace.h" | sed 's/[(;].*//' | grep -vE '_[tf]$' | sort -u >"$scratch/wanted"
[ "$(wc -l <"$scratch/wanted")" -ge 40 ] || { cat "$scratch/wanted"; exit 1; }
missing=$(comm -23 "$scratch/wanted" "$scratch/seen")
[ -z "$missing" ] || { echo "declared and not there: $missing"; exit 1; }
others=$(grep -vE '^(dtrace_\w+|_ZT?[VISN]?N?K?.*9libdtrace.*|LIBDTRACE_.*)$' "$scratch/seen" || true)
[ -z "$others" ] || { echo "seen, and nobody's business: $others"; exit 1; }
readelf -d "$tree/$libdir/libdtrace.so" | grep -q 'SONAME.*libdtrace\.so\.0' || { echo "another soname"; exit 1; }

export PKG_CONFIG_PATH=$tree/$libdir/pkgconfig LD_LIBRARY_PATH=$tree/$libdir
flags=$(pkg-config --cflags --libs libdtrace)
# shellcheck disable=SC2086
"$cc" -std=c11 -Wall -Wextra -Werror -o "$scratch/syscalls" "$source/doc/examples/capi/syscalls.c" $flags
# shellcheck disable=SC2086
"$cxx" -x c++ -Wall -Wextra -Werror -o "$scratch/syscalls-cxx" "$source/doc/examples/capi/syscalls.c" -x none $flags

# A program that is known to make many calls while it is watched.
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
load=$!
for program in syscalls syscalls-cxx; do
  "$scratch/$program" 1 >"$scratch/out"
  [ "$(head -n 1 "$scratch/out")" = "PROGRAM                  CALLS" ] || { cat "$scratch/out"; exit 1; }
  awk 'NR > 1 && $1 == "dd" && $2 > 1000 { found = 1 } NR > 2 && $2 > before { exit 2 } { before = $2 } END { exit !found }' \
    "$scratch/out" || { cat "$scratch/out"; exit 1; }
done
if "$scratch/syscalls" x >"$scratch/out" 2>"$scratch/err"; then echo "x seconds passed"; exit 1; fi
grep -q '^syscalls: .*failed to resolve x' "$scratch/err" || { cat "$scratch/err"; exit 1; }
[ ! -s "$scratch/out" ] || { cat "$scratch/out"; exit 1; }

unset LD_LIBRARY_PATH # the package finds its library by itself
export PYTHONPATH=$tree/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1
"$source/doc/examples/python/readsizes.py" 1 >"$scratch/out"
awk '$0 == "dd" { in_dd = 1; next } in_dd && $1 == 1 && $NF > 1000 { found = 1 } /^$/ { in_dd = 0 } END { exit !found }' \
  "$scratch/out" || { cat "$scratch/out"; exit 1; }
kill "$load"
wait "$load" 2>/dev/null || true
load=
