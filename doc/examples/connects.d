#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * connects.d - TCP connections being made over IPv4: by which program, and to which address.
 *
 *     connects.d                     until Ctrl-C
 *
 * Fires when a socket goes to the state SYN_SENT (2), in the process that calls connect(2). args[0] is the kernel's
 * struct sock; args[1] and args[2] are the old and the new state. 2 as the family is AF_INET, 6 as the protocol TCP.
 */
#pragma D option quiet

BEGIN
{
	printf("%-16s %7s %-15s %5s\n", "PROGRAM", "PID", "TO", "PORT");
}

sdt:sock::inet_sock_set_state
/args[2] == 2 && args[0]->sk_protocol == 6 && args[0]->__sk_common.skc_family == 2/
{
	printf("%-16s %7d %-15s %5d\n", execname, pid, inet_ntoa(&args[0]->__sk_common.skc_daddr),
	    ntohs(args[0]->__sk_common.skc_dport));
}
