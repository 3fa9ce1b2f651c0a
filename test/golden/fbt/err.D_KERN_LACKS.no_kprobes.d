/*
 * ASSERTION: a kernel that cannot trace its functions says so in one sentence.
 * SECTION: fbt
 */
fbt::vfs_read:entry
{
	exit(0);
}
