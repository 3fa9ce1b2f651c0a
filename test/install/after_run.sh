#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `cmake --install` works after `./run`: the target that `run` builds makes every file that is installed and has to be built.
# usage: after_run.sh BUILD_FOLDER SOURCE_FOLDER
set -eu
build=$1 source=$2
[ -e "$build/build.ninja" ] || { echo "skipped: not built by ninja"; exit 77; }
cd "$build"

target=$(sed -n 's/^build release OFF \([a-z_]*\).*/\1/p' "$source/run")
[ -n "$target" ] || { echo "run does not say what it builds"; exit 1; }
# What the target names itself, and what that is made of.
made=$(ninja -t query "$target" | sed -n '/^  input:/,/^  outputs:/s/^    \(| \)*//p'; ninja -t inputs "$target")
installed=$(sed -n "s,.*\"$build/\([^\"]*\)\".*,\1,p" cmake_install.cmake | sort -u)
nr_built=0
for file in $installed; do
  ninja -t query "$file" 2>/dev/null | grep -q '^  input:' || continue # made by cmake
  nr_built=$((nr_built + 1))
  case $file in *.so.*) file=${file%%.so.*}.so ;; esac # made together
  grep -qxF "$file" <<<"$made" || { echo "installed, and not built by ./run: $file"; exit 1; }
done
[ $nr_built -ge 3 ] || { echo "only $nr_built of the installed files are built"; exit 1; }
