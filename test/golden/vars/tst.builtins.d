/*
 * ASSERTION: the built-in variables of the process and of the firing have the values that BEGIN's process has.
 * SECTION: Variables/Built-in variables
 */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d\n", pid == $pid, tid == $pid, ppid == $ppid, pid == curthread->tgid);
	printf("%d %d %s\n", uid == $uid, gid == $gid, execname);
	printf("%s %s %s\n", root, basename(cwd), zonename);
	printf("%s:%s:%s:%s %d %d\n", probeprov, probemod, probefunc, probename, id, ipl);
	printf("%d %d %d\n", arg0, arg9, errno);
	printf("%d %d\n", stackdepth > 0, stackdepth < 128);
	printf("%d %d %d\n", caller != 0, ucaller != caller, uregs[R_PC] != 0 && uregs[R_SP] != 0);
	printf("%d %d\n", timestamp == timestamp, walltimestamp == walltimestamp);
	printf("%d %d\n", vtimestamp > 0, vtimestamp < timestamp);
	printf("%d %d %d\n", cpu == curcpu->cpu_id, cpu >= 0, curlwpsinfo->pr_onpro == cpu);
	first = epid;
	then = timestamp;
	printf("%d\n", walltimestamp / 1000000000 > 1700000000);
}
BEGIN
{
	printf("%d %d\n", epid != first, timestamp == then);
	exit(0);
}
