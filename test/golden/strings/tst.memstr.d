/*
 * ASSERTION: memstr() makes a string of n bytes, the last of which gives way to the NUL; other NULs become the character.
 * SECTION: Actions and subroutines/Subroutines
 */
#pragma D option quiet
#pragma D option strsize=16
BEGIN
{
	this->m = (char *)alloca(40);
	this->m[0] = 'c'; this->m[1] = 'a'; this->m[2] = 't'; this->m[4] = '-'; this->m[5] = 'n';
	this->n = 7;
	printf("[%s] [%s] [%s]\n", memstr(this->m, ' ', 7), memstr(this->m, '.', this->n), memstr(this->m, '/', 4));
	printf("[%s] [%s]\n", memstr(this->m, ' ', 1), memstr(this->m, ' ', 0));
	this->n = 40;
	printf("%d %d [%s]\n", strlen(memstr(this->m, '.', 40)), strlen(memstr(this->m, '.', this->n)),
	    memstr(curthread->comm, 'x', 7));
}
BEGIN
{
	trace(memstr((void *)8, ' ', 4));
}
ERROR
{
	printf("fault %d at %d\n", arg4, arg5);
	exit(0);
}
