#!/bin/sh
# ASSERTION: copyinstr and copyin of arguments of system calls; what is not there is an error, and the script goes on.
$dtrace -qn '
syscall::openat:entry
/pid == $target && copyinstr(arg1) == "/dev/null"/
{
	printf("%s %d\n", copyinstr(arg1), strlen(copyinstr(arg1)));
	this->c = (char *)copyin(arg1, 4);
	printf("%c%c%c%c\n", this->c[0], this->c[1], this->c[2], this->c[3]);
	printf("%s\n", copyinstr(arg1, 5));
}
syscall::openat:entry
/pid == $target && !once/
{
	once = 1;
	trace(copyinstr(8));
}
dtrace:::ERROR
{
	printf("an error\n");
}' -c "cat /dev/null" 2>/dev/null | grep . | sort -u
exit 0
