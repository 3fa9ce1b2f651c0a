/*
 * ASSERTION: a clause may end with a loop behind a call whose arguments are looked up: whatever is in its registers then,
 *   the kernel takes the program.
 * SECTION: Program structure/Clauses
 * @@runtest-opts: -c true
 */
#pragma D option quiet
string last;
int lengths[string];
int total;
char steps[4];
struct names { string own; };
self struct names kept;
this string part;

syscall::exit_group:entry
{
	this->part = substr(execname, (self->kept.own <= last),
	    lengths[copyinstr(*(uintptr_t *)copyin((uintptr_t)curpsinfo->pr_argv, 8))]);
	for (this->i = 0; this->i < (total & 7); this->i++) { total += steps[3]; }
}
syscall::exit_group:entry
/pid == $target/
{
	printf("%d\n", total);
	exit(0);
}
