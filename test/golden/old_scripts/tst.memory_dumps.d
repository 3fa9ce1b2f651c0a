#!/usr/sbin/dtrace -qs
/* ASSERTION: alloca, bcopy and tracemem.	@@runtest-opts: -q */

dtrace:::BEGIN
{
	this->from = (char *)alloca(8);
	this->from[0] = 'D'; this->from[1] = '!'; this->from[2] = 0;
	this->to = (char *)alloca(8);
	bcopy(this->from, this->to, 3);
	printf("%s\n", stringof(this->to));
	tracemem(this->to, 4);
	exit(0);
}
