#!/bin/bash
# ASSERTION: curpsinfo->pr_psargs goes on up to strsize, and what is cut is counted; pr_argc, pr_argv and pr_envp lead to all
#   arguments and the environment of a 64-bit and a 32-bit process; execarg[n] is one of them; an argument whose page is gone
#   is a fault; other processes have none.
# SECTION: Variables/Built-in variables
# @@timeout: 60
cd "$tmpdir" || exit 1
cat >args.c <<'C'
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noinline)) void trigger(void) { __asm__ volatile(""); }

int main(int argc, char **argv)
{
	const char *name = argv[0] + 2;

	trigger();
	for (int n = 1; n < argc; n++) {
		uintptr_t in_page = sysconf(_SC_PAGESIZE) - 1;
		uintptr_t from = ((uintptr_t)argv[n] + in_page) & ~in_page, to = ((uintptr_t)argv[n] + strlen(argv[n])) & ~in_page;
		if (name[0] == 'g' && from < to)
			madvise((void *)from, to - from, MADV_DONTNEED);
	}
	sched_get_priority_max(argc);
	if (name[0] == 'f' && fork() == 0)
		_exit(0);
	return 0;
}
C
cc -o args args.c && ln -s args gone && ln -s args fork || exit 1
# Also where no 32-bit programs can be made, or run.
(cc -m32 -o narrow args.c && ./narrow) >narrow.log 2>&1 || ln -sf args narrow
at='syscall::sched_get_priority_max:entry /pid == $target/'
cat >all.d <<'D'
pid$target::trigger:entry
{
	this->bytes = curpsinfo->pr_dmodel == PR_MODEL_ILP32 ? 4 : 8;
	printf("%d arguments, execarg <%s> <%s> <%s> <%s> <%s>\n", curpsinfo->pr_argc, execarg[0], execarg[1], execarg[2],
	    execarg[3], execarg[-1]);
	/* As programs for other systems follow the pointers. */
	this->at = this->bytes == 4 ? *(uint32_t *)copyin(curpsinfo->pr_argv + 4, 4) : *(uint64_t *)copyin(curpsinfo->pr_argv + 8, 8);
	printf("pr_argv[1] %s\n", copyinstr(this->at));
	this->at = this->bytes == 4 ? *(uint32_t *)copyin(curpsinfo->pr_envp, 4) : *(uint64_t *)copyin(curpsinfo->pr_envp, 8);
	printf("pr_envp[0] %s\n", copyinstr(this->at));
	this->at = curpsinfo->pr_argv + curpsinfo->pr_argc * this->bytes;
	printf("behind the last %d\n", this->bytes == 4 ? *(uint32_t *)copyin(this->at, 4) : *(uint64_t *)copyin(this->at, 8));
	printf("psargs of %d characters, as execargs: %d\n", strlen(curpsinfo->pr_psargs), curpsinfo->pr_psargs == execargs);
}
D
long=$(printf 'x%.0s' {1..200})
for program in ./args ./narrow; do
	echo "== $program"
	env -i FIRST=one SECOND=two "$dtrace" -qxstrsize=512 -s all.d -c "$program $long last" 2>&1 |
		sed "s/$long/LONG/g"
done
echo "== cut"
"$dtrace" -qxstrsize=20 -n "$at"' { trace(execargs); trace(memstr((userland void *)curthread->mm->arg_start, 32, 20));
	trace(memstr((userland void *)curthread->mm->arg_start, 32, 21)); }' -xledger=text -c "./args $long" 2>&1 | awk 'NF { $2 = /dt_clause/ ? "CPU" : $2; print }'
echo "== gone"
page=$(getconf PAGESIZE)
huge=$(printf 'y%.0s' $(seq $((3 * page))))
"$dtrace" -qxstrsize=$((4 * page)) -n "$at"' { printf("%d %s\n", curpsinfo->pr_argc, execarg[2]); trace(execargs); }' \
	-n "$at"' { trace(copyinstr(curthread->mm->arg_start + '$((2 * page))')); }' -n "$at"' { trace(execarg[0]); }' \
	-c "./gone $huge end" 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; s/probe ID [0-9]*/probe ID N/'
echo "== another process"
"$dtrace" -qn 'proc:::create /pid == $target/ { printf("%s %d %d\n", args[0]->pr_psargs, args[0]->pr_argc, args[0]->pr_envp);
	printf("%d\n", args[0]->pr_argv == curpsinfo->pr_argv); }' -c "./fork a" 2>&1
exit 0
