#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# doc/examples/embed as somebody else would build it: from an installed tree, by find_package() alone.
# usage: embed.sh CMAKE BUILD_FOLDER SOURCE_FOLDER
set -eu
cmake=$1 build=$2 source=$3
[ "$(id -u)" = 0 ] || { echo "skipped: needs root"; exit 77; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/log" || { cat "$scratch/log"; exit 1; }
mv "$scratch/first" "$scratch/tree"
cp -r "$source/doc/examples/embed" "$scratch/example"
"$cmake" -S "$scratch/example" -B "$scratch/example/build" -DCMAKE_PREFIX_PATH="$scratch/tree" >"$scratch/log" 2>&1 &&
  "$cmake" --build "$scratch/example/build" >>"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }

# A program that is known to make many calls while it is watched.
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
load=$!
status=0
"$scratch/example/build/syscalls" 1 >"$scratch/out" || status=$?
kill "$load"
wait "$load" 2>/dev/null || true
[ "$status" = 0 ] || { echo "exit status $status"; exit 1; }
[ "$(head -n 1 "$scratch/out")" = "PROGRAM                  CALLS  SHARE" ] || { cat "$scratch/out"; exit 1; }
# dd reads and writes one byte at a time: no other program makes more calls in that second.
awk 'NR > 1 && $1 == "dd" && $2 > 10000 { found = 1 } NR > 2 && $2 > before { exit 2 } { before = $2 } END { exit !found }' \
  "$scratch/out" || { cat "$scratch/out"; exit 1; }
# The library says what is wrong with a program; it prints nothing by itself.
if "$scratch/example/build/syscalls" x >"$scratch/out" 2>"$scratch/err"; then echo "x seconds passed"; exit 1; fi
grep -q '^syscalls: .*failed to resolve x' "$scratch/err" || { cat "$scratch/err"; exit 1; }
[ ! -s "$scratch/out" ] || { cat "$scratch/out"; exit 1; }
