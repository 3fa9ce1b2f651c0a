dtrace: D N
DTrace for Linux N
dtrace: D N
DTrace for Linux N
dtrace: D N
DTrace for Linux N
dtrace: D N
DTrace for Linux N
dtrace: failed to write to <stdout>: No space left on device
status 1
This is DTrace 2.0.0
