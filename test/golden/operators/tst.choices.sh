#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `condition ? A : B` of any two things that a firing knows. Where A and B lie in different structures of the kernel, one
# load through a choice of their addresses would not verify.
# @@timeout: 120
cd "$tmpdir" || exit 1
variables='arg0 arg1 pid tid ppid uid global self->here curlwpsinfo->pr_pri'
every_choice() { # PROBE
  echo 'int global, wrong, right; self int here; BEGIN { global = 4; }'
  for first in $variables; do
    echo "$1 /pid == \$target/ { self->here = 6;"
    for second in $variables; do
      echo "  (global == 4 ? $first : $second) == $first && (global != 4 ? $first : $second) == $second ? right++ : wrong++;"
    done
    echo '}'
  done
  echo "$1 /pid == \$target/ { printf(\"%d right, %d wrong\", right, wrong); exit(0); }"
}
for probe in syscall::getppid:{entry,return} rawtp:::sys_enter profile-997 'pid$target:libc:getppid:entry'; do
  echo "== $probe"
  every_choice "$probe" >choices.d
  "$dtrace" $dt_flags -qs choices.d -c 'perl -e "getppid() while (1)"' 2>&1 | head -3
done
