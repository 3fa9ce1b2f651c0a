#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: where processes that wait for their probes and dtrace, which sets them, share one CPU, it gets the CPU in time:
# no firing is missing.
cpu=$(taskset -pc $$ | sed 's/.*[:,-] *//')
taskset -c "$cpu" $dtrace $dt_flags -qZ -x follow=fork -c "$triggers/families /dev/null" -n '
  pid$target:a.out:member:entry { @[probefunc] = count(); }
  pid$target:libm:cbrt:entry { @[probefunc] = count(); }
  END { printa("%s %@d\n", @); }' 2>&1
