#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: beside a process of Python the records of probes that fire seldom, which share one ring buffer, are all shown: the
# programs that find Python's functions write to the same one.
python="${DTRACE_PYTHON:-/usr/bin/python3}"
exec {ready}< <(exec "$python" -B -c 'import signal; print("ready", flush=True); signal.pause()')
sleeping=$!
read -r _ <&"$ready"
# What reads Python's memory is loaded in the background: at the last tick it is there.
"$dtrace" $dt_flags -q -n '
tick-500ms { depth = ustackdepth; printf("%d ", ++ticks); }
tick-500ms /ticks == 3/ { exit(0); }
END { depth = ustackdepth; printf("end\n"); }'
kill $sleeping
