dtrace: run as root for tracing and listing probes (missing: CAP_BPF and CAP_PERFMON)
status 2
dtrace: run as root for tracing and listing probes (missing: CAP_BPF and CAP_PERFMON)
status 2
dtrace: D N
status 0
dtrace: D N
What this kernel can do is shown to root (missing: CAP_BPF and CAP_PERFMON).
status 0
status 0
