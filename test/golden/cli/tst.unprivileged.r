dtrace: DTrace requires additional privileges: run as root for tracing and listing probes (missing: CAP_BPF and CAP_PERFMON)
status 2
dtrace: DTrace requires additional privileges: run as root for tracing and listing probes (missing: CAP_BPF and CAP_PERFMON)
status 2
dtrace: D N
DTrace for Linux 0.1.0
status 0
dtrace: D N
DTrace for Linux 0.1.0
This is DTrace 2.0.0
What this kernel supports cannot be asked: run as root for tracing and listing probes (missing: CAP_BPF and CAP_PERFMON).
status 0
status 0
