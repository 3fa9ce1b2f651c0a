uid 65534

status 0
hi
3 bytes

status 0
dtrace: DTrace requires additional privileges: run as root for tracing and listing probes (missing: CAP_PERFMON)
status 2
dtrace: DTrace requires additional privileges: run as root for tracing and listing probes (missing: CAP_BPF)
status 2
