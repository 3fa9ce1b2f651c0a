#!/bin/bash
# ASSERTION: columns are called what the program says, not what a translator or an inline makes of it.
# SECTION: Output
"$dtrace" -xcpu=0 -xformat=csv -qn 'inline string whose = execname; inline int which[int n] = n + 1;
BEGIN { @[curpsinfo->pr_psargs, fds[0].fi_pathname, whose, which[2]] = count();
	@q[curlwpsinfo->pr_lwpid] = quantize(curpsinfo->pr_nlwp);
	trace(curpsinfo->pr_fname); printf("%s %d", whose, which[3]); exit(0); }' | grep -E '^(clause|aggregation),' | sed 's/\r$//'
