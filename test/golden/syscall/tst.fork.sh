#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a fork returns in both processes.
# SECTION: Providers, 4
cd "$tmpdir" || exit 1
cat >calls.c <<'C'
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int pid = syscall(SYS_fork);

	if (pid == 0)
		_exit(0);
	waitpid(pid, 0, 0);
	return 0;
}
C
cc -O1 -o calls calls.c || exit 1
"$dtrace" -qc ./calls -n '
syscall::fork:return /(pid == $target || progenyof($target)) && execname == "calls"/ {
  @[pid == $target ? "parent" : "child", arg1 > 0 ? "positive" : arg1 == 0 ? "zero" : "negative", errno] = count();
}
END { printa("%s %s %d %@d\n", @); }'
