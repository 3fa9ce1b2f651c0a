#!/usr/sbin/dtrace -s
/* ASSERTION: numbers become words by chains of ?:, as iosnoop-like scripts do.	@@trigger: syscalls 3 */
#pragma D option quiet

syscall::lseek:entry
/pid == $target/
{
	this->whence = arg2 == 0 ? "SET" : arg2 == 1 ? "CUR" : arg2 == 2 ? "END" : "<none>";
	this->size = arg1 < 1 ? "first" : arg1 & 1 ? "odd" : "even";
	printf("%-4s %s %s\n", this->whence, this->size, arg0 == 12345 ? "bad" : "good");
	@kinds[this->whence, this->size] = count();
}

dtrace:::END
{
	printa("%s/%s %@d\n", @kinds);
}
