from-bpftrace.md: all commands run
