/*
 * ASSERTION: keys that are symbols have one identity: addresses of one function or module are one key, also on each
 * CPU (aggpercpu), and printa() of several aggregations joins their rows.
 * SECTION: Aggregations
 * @@runtest-opts: -xaggpercpu
 */
#pragma D option quiet

BEGIN
{
	@calls[func((uintptr_t)&`vfs_read)] = count();
	@calls[func((uintptr_t)&`vfs_read + 1)] = count();
	@bytes[func((uintptr_t)&`vfs_read + 2)] = sum(40);
	@bytes[func((uintptr_t)&`vfs_read + 3)] = sum(2);
	@modules[mod((uintptr_t)&`vfs_read)] = count();
	@sizes[mod((uintptr_t)&`vfs_write)] = sum(7);
	printa("%a %@d %@d\n", @calls, @bytes);
	printa("%a %@d %@d\n", @modules, @sizes);
	printa(@calls);
	exit(0);
}
