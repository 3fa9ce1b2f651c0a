== hierarchy/dtrace/inner/
calls syscalls 1000
nothing was lost
== tmpdir/jail/sys/fs/cgroup/unified/dtrace/inner
calls syscalls 1000
nothing was lost
== tmpdir/part/inner
calls syscalls 1000
nothing was lost
== /dtrace/inner
calls syscalls 1000
nothing was lost
