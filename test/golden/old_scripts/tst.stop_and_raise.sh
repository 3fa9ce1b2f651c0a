#!/bin/sh
# ASSERTION: stop() and raise() act on the process of the probe; system() runs commands in the order of the output.
sh -c 'trap "echo got USR1" USR1; echo ready; /bin/true; echo goes on' > $tmpdir/out 2>&1 &
wait
$dtrace -qwn '
syscall::getppid:entry, syscall::lseek:entry
/pid == $target && !done/
{
	raise(9);
	done = 1;
	printf("raised\n");
	system("echo by the shell: %s", probefunc);
}
dtrace:::END { printf("end %d\n", done); }' -c "$triggers/syscalls 100000" 2>/dev/null
$dtrace -qwn '
syscall::lseek:entry
/pid == $target && !done/
{
	stop();
	done = 1;
	printf("stopped\n");
	system("kill -CONT %d", pid);
}
syscall::lseek:entry
/pid == $target/
{
	@ = count();
}
dtrace:::END { printa("went on: %@d\n", @); }' -c "$triggers/syscalls 10" 2>/dev/null
