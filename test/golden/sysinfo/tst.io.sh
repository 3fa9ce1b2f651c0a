#!/bin/bash
# ASSERTION: What a program reads and writes is counted call by call and byte by byte, as /proc/PID/io has it: 137 writes of 10
#   bytes and some others. Calls that reach no file are not counted.
# SECTION: Providers, 17
# @@timeout: 60
"$dtrace" -q -n '
BEGIN { most[""] = (int64_t)0; }
syscall::getsid:entry /pid == $target/ { run += arg0 == 1; on = arg0 == 1; }
sysinfo:::sysread, sysinfo:::syswrite, sysinfo:::readch, sysinfo:::writech /pid == $target && on/ {
	grown[run, probename] += arg0;
	most[probename] = arg0 > most[probename] ? arg0 : most[probename];
}
END {
	printf("sysread %d, syswrite %d, readch %d, writech %d\n", grown[run, "sysread"], grown[run, "syswrite"],
	    grown[run, "readch"], grown[run, "writech"]);
	printf("at once %d, %d, %d, %d\n", most["sysread"], most["syswrite"], most["readch"], most["writech"]);
}' -c "$triggers/counters io"
