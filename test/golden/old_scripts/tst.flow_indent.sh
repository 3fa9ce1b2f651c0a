#!/bin/sh
# ASSERTION: entries and returns are indented by -F and by the option flowindent.
$dtrace -F -n '
syscall::lseek:entry
/pid == $target/
{
	trace(arg0);
}

syscall::lseek:return
/pid == $target/
{
	trace(errno);
}' -c "$triggers/syscalls 1" 2>/dev/null | sed 's/^ *[0-9]* //'
