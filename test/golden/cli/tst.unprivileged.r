dtrace: run as root for tracing and listing probes (missing: CAP_BPF and CAP_PERFMON)
status 2
dtrace: run as root for tracing and listing probes (missing: CAP_BPF and CAP_PERFMON)
status 2
dtrace: D N
status 0
dtrace: D N
DTrace for Linux 0.1.0
Run dtrace as root to see what this kernel supports (missing: CAP_BPF and CAP_PERFMON).
status 0
status 0
