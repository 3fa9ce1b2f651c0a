== container
calls syscalls 1000
ticks came
nothing was lost
== pod
calls syscalls 2000
ticks came
nothing was lost
== unit
calls syscalls 3000
ticks came
dtrace: unit box is not there yet: waiting for it
nothing was lost
== cgroup
calls syscalls 4001
ticks came
nothing was lost
== options together
calls syscalls 5
ticks came
dtrace: unit nothing is not there yet: waiting for it
nothing was lost
