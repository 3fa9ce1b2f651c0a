#!/bin/bash
# ASSERTION: a signal that comes while the preprocessor is being started leaves no compiler behind: here the kernel returns late
# from starting it.
# SECTION: Command line, 10
# @@tags: release
. "$(dirname "$0")/../../runner/gone.sh"
cd "$tmpdir" || exit 1
mkfifo never.h
echo '#include "never.h"' >script.d
children() { cat "/proc/$1/task/$1/children" 2>/dev/null; }
strace -o calls -e trace=clone,clone3,vfork -e inject=clone,clone3,vfork:delay_exit=1000000 "$dtrace" -C -s script.d >out 2>err &
tracer=$!
compiler=
until [ -n "$compiler" ]; do
	kill -0 $tracer || exit 1
	sleep 0.02
	dtrace_pid=$(children $tracer)
	compiler=$(children $(children $dtrace_pid))
done
kill -TERM $dtrace_pid
wait $tracer
for _ in $(seq 500); do
	is_gone $compiler && break
	sleep 0.02
done
is_gone $compiler && echo "none is left" || { echo "the compiler survived"; kill -KILL $compiler; }
