dtrace: run as root for tracing and listing probes
status 2
dtrace: run as root for tracing and listing probes
status 2
dtrace: D N
status 0
status 0
