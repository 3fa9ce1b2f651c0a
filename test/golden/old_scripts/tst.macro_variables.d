#!/usr/sbin/dtrace -qs
/* ASSERTION: $target, $pid, $ppid, $uid, $euid and their like. @@trigger: syscalls 1	@@runtest-opts: -q */

syscall::lseek:entry
/pid == $target/
{
	printf("%s %s %s %s\n", ppid == $pid ? "child" : "stranger", $uid == uid ? "same user" : "another user",
	    $egid == gid ? "same group" : "another group", $ppid != $pid ? "parent" : "none");
}
