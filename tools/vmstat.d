/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vmstat.d: show what the system does: calls, switches, new processes, page faults, paging, interrupts.
 *
 * Numbers are of the time since the last print, counted as they happen, by probes that vmstat(8) has no equal of: pick one of
 * them and ask who does it, as in  dtrace -n 'cpc:::page_faults-all-1 { @[execname] = count(); }'
 *
 * filters: -p -n -c -g -i
 * column: CALLS | system calls
 * column: SWITCHES | threads that left a CPU for another
 * column: FORKS, EXECS | processes made, programs begun
 * column: FAULTS, MAJOR | page faults, and those among them that waited for a disk
 * column: PGIN, PGOUT | pages that were read from and written to disks
 * column: INTR | interrupts of devices
 * example: vmstat.d -i 1 | second by second
 * example: vmstat.d -c 'make -j4' | what one command and its children did
 */
syscall:::entry /selected/ { @calls = count(); }
sysinfo:::pswitch /selected/ { @switches = count(); }
sysinfo:::sysfork, sysinfo:::sysvfork /selected/ { @forks = count(); }
sysinfo:::sysexec /selected/ { @execs = count(); }
cpc:::page_faults-all-1 /selected/ { @faults = count(); }
vminfo:::maj_fault /selected/ { @major = count(); }
vminfo:::pgpgin /selected/ { @in = sum(arg0); }
vminfo:::pgpgout /selected/ { @out = sum(arg0); }
sysinfo:::intr /selected/ { @interrupts = count(); }

BEGIN
/heading/
{
	printf("%9s %9s %7s %7s %9s %7s %9s %9s %9s\n", "CALLS", "SWITCHES", "FORKS", "EXECS", "FAULTS", "MAJOR", "PGIN", "PGOUT", "INTR");
}

tick-1s, END
/due/
{
	printa("%@9d %@9d %@7d %@7d %@9d %@7d %@9d %@9d %@9d\n", @calls, @switches, @forks, @execs, @faults, @major, @in, @out,
	    @interrupts);
	clear(@calls);
	clear(@switches);
	clear(@forks);
	clear(@execs);
	clear(@faults);
	clear(@major);
	clear(@in);
	clear(@out);
	clear(@interrupts);
}
