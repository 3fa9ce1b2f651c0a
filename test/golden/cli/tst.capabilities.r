uid 65534

status 0
hi
3 bytes

status 0
dtrace: run as root for tracing and listing probes
status 2
dtrace: run as root for tracing and listing probes
status 2
