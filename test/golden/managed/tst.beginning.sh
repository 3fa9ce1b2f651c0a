#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: at each of the first instructions of the function that evaluates Python's, where what leads to the functions is
# only half there, a stack has the chains that the program has, without the function that just begins.
python="${DTRACE_PYTHON:-/usr/bin/python3}"
object=$(basename "$(readlink -f "$python")")
offsets=$($dtrace -l -n "pid\$target:$object:_PyEval_EvalFrameDefault:" -c "$python -B -c 0" | awk '{print $NF}' | grep -E '^[0-9a-f]{1,2}$')
[ "$(echo "$offsets" | wc -l)" -gt 20 ] || echo "few offsets:" $offsets
probes=$(for offset in $offsets; do echo "pid\$target:$object:_PyEval_EvalFrameDefault:$offset"; done | paste -sd,)
# From the first call of made() on: what Python does before has thousands of stacks.
$dtrace $dt_flags -q -x format=json -x ustackframes=200 -c "$python -B busy.py" \
  -n "pid\$target:libc:malloc:entry /arg0 > 100000 && arg0 < 100100/ { begun = 1; } $probes /begun/ { @[ustack()] = count(); }" |
  python3 -B chains.py run | sed 's/;.*//'
