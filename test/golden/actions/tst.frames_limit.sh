#!/bin/bash
# ASSERTION: a number of kernel frames above the limit is a warning that names the limit.
# SECTION: Actions
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
run -en 'BEGIN { stack(127); ustack(500); }'
run -en 'BEGIN { stack(128); }'
run -xmaxframes=10 -en 'BEGIN { stack(11); stack(); }'
run -xstackframes=200 -en 'BEGIN { stack(); }'
limit=$(cat /proc/sys/kernel/perf_event_max_stack)
more=$((limit + 1))
if [ "$limit" -lt 1024 ]; then
  run -xmaxframes=$more -en "BEGIN { stack($limit); stack($more); ustack($more); }" | sed "s/$limit/LIMIT/g; s/$more/LIMIT + 1/g"
else
  echo "kernel.perf_event_max_stack is above what option maxframes allows" >&2
  exit 2
fi
