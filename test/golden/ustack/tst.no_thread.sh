#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: where the thread that reads call frame information cannot start, tracing does not begin, and a message says
# why; a program that takes no user stack needs no such thread.
# @@tags: userland
# So large a stack is no thread's: only the first thread's grows as it is used.
ulimit -s 60000000000 || exit 1
$dtrace $dt_flags -qn 'BEGIN { exit(0); } syscall::getppid:entry { @[ustack()] = count(); }' 2>&1
echo "status $?"
$dtrace $dt_flags -qn 'BEGIN { exit(0); } syscall::getppid:entry { n++; }' 2>&1
echo "status $?"
