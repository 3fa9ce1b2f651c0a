#!/bin/bash
# ASSERTION: A program that writes to 500 fresh pages, reads 60 others, and writes to 60 of a file that is mapped privately has 560
#   faults for what is not there and 60 for what may not be written; both together are what its own counters say.
# SECTION: Providers, 16
# @@timeout: 60
"$dtrace" -q -n '
syscall::getsid:entry /pid == $target/ { run += arg0 == 1; on = arg0 == 1; }
vminfo:::as_fault, vminfo:::prot_fault, vminfo:::maj_fault, vminfo:::kernel_asflt /pid == $target && on/ {
	grown[run, probename] += arg0;
}
END {
	printf("as_fault %d, prot_fault %d, kernel_asflt %d\n", grown[run, "as_fault"], grown[run, "prot_fault"],
	    grown[run, "kernel_asflt"]);
}' -c "$triggers/counters faults"
