/*
 * ASSERTION: a condition chooses between what the kernel knows of the thread and a variable, in predicates, values and
 *   keys, and in branches of branches.
 * SECTION: Expressions/Operators
 */
#pragma D option quiet
int zero, other;
self int own;
BEGIN
/!(zero ? uid : zero)/
{
	other = 7;
	self->own = 8;
	printf("%d %d %d\n", zero ? uid : other, zero ? tid : other, zero ? ppid : other);
	printf("%d %d\n", (other ? pid : other) == $pid, (other ? ppid : zero) == $ppid);
	printf("%d\n", other != 5 ? (zero ? tid : self->own) : gid);
	keys[zero ? uid : other] = 9;
	printf("%d\n", keys[7]);
	@sums[other ? zero : gid] = sum(zero ? uid : self->own);
	printa("%d %@d\n", @sums);
}
BEGIN
/strlen(execname) && (curpsinfo->pr_pid ? ppid : zero)/
{
	exit(0);
}
