#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the kernel takes every probe that is offered in the C library, at each instruction, and a program computes with
# them what it computes without. On x86-64, where debug packages name many more functions, those whose names end with d.
# @@tags: long
# @@timeout: 300
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
dtrace=$1
program='BEGIN { for (i = 0; i < 20; i++) { s = s sprintf("%d %s ", i * i, toupper("x" i)); n += split(s, parts); } print n, length(s), substr(s, 7, 9) }'
wanted=$(LC_ALL=C mawk "$program")
last=
[ "$(uname -m)" != x86_64 ] || last=d
for first in a-c d-f g-h i-l m-p q-s t-v w-zA-Z _; do
  section "functions $first" || continue
  LC_ALL=C $dtrace $dt_flags -q -c "mawk '$program'" -n 'pid$target:libc.so.6:['"$first]*$last"': { n++; }' 2>&1 | sed '/^$/d' |
    while IFS= read -r line; do
      [ "$line" = "$wanted" ] && echo "computes the same" || echo "$line"
    done
done
exit 0
