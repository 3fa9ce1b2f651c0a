/*
 * ASSERTION: branches that record long strings compile, whatever blocks of zeros the optimiser makes of them.
 * SECTION: Actions and Subroutines/printf()
 */
#pragma D option quiet
syscall::write:return
{
	if (uid) { printf("%s\n", curpsinfo->pr_psargs); } else { printf("%s|\n", curpsinfo->pr_psargs); }
	if (gid) { printf("%s\n", curpsinfo->pr_psargs); } else { printf("%s|\n", curpsinfo->pr_psargs); }
}
BEGIN
{
	if (uid) { printf("a %s\n", curpsinfo->pr_psargs); } else { printf("b %d\n", strlen(curpsinfo->pr_psargs) > 0); }
	if (gid) { printf("c %s\n", curpsinfo->pr_psargs); } else { printf("d %d\n", strlen(curpsinfo->pr_psargs) > 0); }
	exit(0);
}
