/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capable.d: show the capabilities that the kernel asks for, and whether the process has them.
 *
 * Each check is shown, also those by which the kernel only looks whether a limit applies. This needs Linux 6.14.
 *
 * filters: -p -n -c -g
 * option: -x | failed | show only capabilities that the process does not have
 * column: PID, COMM | the process
 * column: UID | its user
 * column: CAPABILITY | what is asked for, as in capabilities(7)
 * column: ERROR | EPERM if the process does not have it, or 0
 * example: capable.d -x | who tries what they may not
 * example: capable.d -c 'ping -c 1 localhost' | the capabilities that a command uses
 */
enum capability {
	CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER, CAP_FSETID, CAP_KILL, CAP_SETGID, CAP_SETUID, CAP_SETPCAP,
	CAP_LINUX_IMMUTABLE, CAP_NET_BIND_SERVICE, CAP_NET_BROADCAST, CAP_NET_ADMIN, CAP_NET_RAW, CAP_IPC_LOCK, CAP_IPC_OWNER,
	CAP_SYS_MODULE, CAP_SYS_RAWIO, CAP_SYS_CHROOT, CAP_SYS_PTRACE, CAP_SYS_PACCT, CAP_SYS_ADMIN, CAP_SYS_BOOT, CAP_SYS_NICE,
	CAP_SYS_RESOURCE, CAP_SYS_TIME, CAP_SYS_TTY_CONFIG, CAP_MKNOD, CAP_LEASE, CAP_AUDIT_WRITE, CAP_AUDIT_CONTROL, CAP_SETFCAP,
	CAP_MAC_OVERRIDE, CAP_MAC_ADMIN, CAP_SYSLOG, CAP_WAKE_ALARM, CAP_BLOCK_SUSPEND, CAP_AUDIT_READ, CAP_PERFMON, CAP_BPF,
	CAP_CHECKPOINT_RESTORE
};

BEGIN
/heading/
{
	printf("%-7s %-15s %-7s %-22s %s\n", "PID", "COMM", "UID", "CAPABILITY", "ERROR");
}

sdt:capability::cap_capable
/selected && (!failed || args[4] != 0)/
{
	printf("%-7d %-15s %-7d %-22s %s\n", pid, execname, uid, (enum capability)args[3], errno_name[-args[4]]);
}
