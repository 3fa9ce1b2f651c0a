#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sysflow.d - the system calls of one process as they come, entries and returns indented.
 *
 *     sysflow.d -c 'cat /etc/hostname'
 *     sysflow.d -p 1234
 */
#pragma D option flowindent

syscall:::entry
/pid == $target/
{
	printf("(0x%x, 0x%x, 0x%x)", arg0, arg1, arg2);
}

syscall:::return
/pid == $target && errno == 0/
{
	printf("= %d", arg0);
}

syscall:::return
/pid == $target && errno != 0/
{
	printf("= -1, errno %d", errno);
}
