#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: ustack() shows Python's functions by name, file and line between the native frames: those that the program says
# itself, frame by frame, for methods, lambdas, generators, coroutines, recursion, callbacks from C, threads without the
# interpreter's lock, and code objects that take each other's memory.
python3 -B compare.py "$dtrace" "${DTRACE_PYTHON:-/usr/bin/python3}" "$tmpdir"
