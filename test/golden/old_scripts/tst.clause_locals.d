#!/usr/sbin/dtrace -qs
/* ASSERTION: declared this-> and self-> variables of several types, shared by the clauses of a firing. @@trigger: syscalls 2	@@runtest-opts: -q */

this int x;
this string text;
self int depth;
self string where;

syscall::lseek:entry
/pid == $target/
{
	this->x = 3;
	this->text = probefunc;
	self->depth++;
	self->where = strjoin("in ", probefunc);
}

syscall::lseek:entry
/this->x == 3/
{
	this->x = this->x * 2;
	printf("%d %s ", this->x, this->text);
}

syscall::lseek:return
/self->depth/
{
	printf("%s %d\n", self->where, self->depth);
	self->where = 0;
}
