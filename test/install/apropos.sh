#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `man -k dtrace` finds every manual page.
# usage: apropos.sh BUILD SOURCE
set -u
build=$1 source=$2
for program in mandb apropos; do
  type -P $program >/dev/null || { echo "$program is not installed (package man-db)"; exit 77; }
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for page in "$source"/doc/*.[138] "$build"/tool-pages/*.8; do
  mkdir -p "$scratch/man/man${page##*.}"
  cp "$page" "$scratch/man/man${page##*.}"
done
mandb --quiet --create "$scratch/man" || exit 1
MANPATH=$scratch/man apropos dtrace | sed 's/ *(.*//' | sort >"$scratch/found"
(cd "$scratch/man" && ls man*) | sed -n 's/\.[138]$//p' | sort >"$scratch/pages"
pages=$(wc -l <"$scratch/pages")
[ "$pages" -gt 40 ] || { echo "only $pages pages"; exit 1; }
missing=$(comm -13 "$scratch/found" "$scratch/pages")
[ -z "$missing" ] || { echo "man -k dtrace does not find:" $missing; exit 1; }
echo "man -k dtrace finds $pages pages"
