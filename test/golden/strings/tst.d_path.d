/*
 * ASSERTION: d_path() names what a struct path of the kernel leads to; an address that cannot be read is a fault.
 * SECTION: Actions and Subroutines/d_path()
 */
#pragma D option quiet
BEGIN
{
	printf("%d %d\n", d_path(&curthread->fs->pwd) == cwd, strlen(d_path(&curthread->fs->pwd)) > 1);
	printf("%s\n", d_path(&curthread->fs->root));
}
BEGIN
{
	trace(d_path((struct path *)0));
}
ERROR
{
	printf("fault %d at %x\n", arg4, arg5);
	exit(0);
}
