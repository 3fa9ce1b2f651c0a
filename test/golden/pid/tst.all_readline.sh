#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: pid*:bash:readline:return sees each line that any bash reads at a terminal, by the program's name and path.
. ./all_common.sh
for module in bash /usr/bin/bash; do
  trace -q -n 'BEGIN { printf("ready\n"); } pid*:'$module':readline:return /arg1 != 0/ {
    @[copyinstr(arg1)] = count(); } END { printa("%s %@d\n", @); }'
  printf 'echo dt-one\necho dt-two\necho dt-one\nexit\n' | script -qec 'bash --norc --noprofile -i' /dev/null >/dev/null
  end_trace
  shown | grep -E '^echo dt-|^exit'
done
