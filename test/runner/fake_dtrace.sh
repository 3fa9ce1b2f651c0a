#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stands in for dtrace in the tests of the runner: a "script" is shell text below its /* comment lines */.
# The text sees all arguments in "${arguments[@]}" and the -c command in $child.
arguments=("$@")
while [ $# -gt 0 ]; do
  case $1 in
    -s) file=$2; shift ;;
    -c) child=$2; shift ;;
  esac
  shift
done
eval "$(grep -v '^/\*' "$file")"
