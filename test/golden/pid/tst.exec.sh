#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A process that turns into another program: the functions of that are found as well.
dtrace=$1
$dtrace $dt_flags -qZ -c "env $triggers/spin 20" -n '
pid$target:spin:spin_here:entry {
  printf("%s %s\n", probemod, probefunc);
  exit(0);
}'
