#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: samples of a Python program, and its calls of malloc, have stacks with the chains of functions that the program
# has and no others, wherever in the interpreter they were taken.
python="${DTRACE_PYTHON:-/usr/bin/python3}"
run() { $dtrace $dt_flags -q -x format=json -x ustackframes=200 -n "$1" -c "$python -B busy.py"; }
run 'profile-997 /pid == $target/ { @[ustack()] = count(); }' | python3 -B chains.py leaf
run 'pid$target:libc:malloc:entry { @[ustack()] = sum(arg0); }' | python3 -B chains.py made
