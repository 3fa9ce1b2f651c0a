dtrace: could not enable tracing: cannot start the thread that reads call frame information: Resource temporarily unavailable
status 1

status 0
