#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @@sort
# ASSERTION: at a call's return, its first argument is still there as R_ORIG_X0, while R_X0 holds the result.
dtrace=$1
$dtrace $dt_flags -q -n 'syscall::lseek:entry, syscall::lseek:return /pid == $target && uregs[R_ORIG_X0] == 99/ {
  printf("%s: %d, %d\n", probename, uregs[R_ORIG_X0], (int)uregs[R_X0]); }' -c "/usr/bin/python3 -c '
import os
try: os.lseek(99, 5, 0)
except OSError as error: print(error.strerror)'" | sed '/^$/d'
