sched::resume:: off-cpu on-cpu
sched:unix:resume:: off-cpu on-cpu
sched::preempt:: preempt
sched:::preempt: preempt
sched:TS:ts_tick:tick: tick
io:genunix::start: start
io::bdev_strategy:start: start
io::bdev_strategy:done: nothing
io:nfs:nfs4_bio:done: done
io::biodone:: done
proc::cfork:create: create
sched::unknown:on-cpu: nothing
syscall::resume:: nothing
io:vmlinux:bdev_strategy:start: nothing
