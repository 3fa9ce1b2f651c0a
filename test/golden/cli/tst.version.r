dtrace: D N
dtrace: D N
dtrace: D N
dtrace: D N
dtrace: failed to write to <stdout>: No space left on device
status 1
