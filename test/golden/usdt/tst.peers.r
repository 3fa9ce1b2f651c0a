readelf: the same
gdb: the same
bpftrace: the same
bpftrace: as often
perf: the same
bcc: the same
