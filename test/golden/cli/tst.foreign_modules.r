$ dtrace -ln io:genunix::start
N io           vmlinux                                   start
$ dtrace -ln io:kernel::done
N io           vmlinux                                   done
$ dtrace -ln proc:genunix:cfork:create
N proc           vmlinux                                   create
$ dtrace -ln proc:mach_kernel::exec-success
N proc           vmlinux                                   exec-success
$ dtrace -ln sched:unix:swtch:on-cpu
N sched           vmlinux                                   on-cpu
$ dtrace -ln sched:TS:ts_tick:tick
N sched           vmlinux                                   tick
$ dtrace -ln tcp:ip:tcp_output:send
N tcp           vmlinux                                   send
$ dtrace -ln syscall:freebsd:read:entry
N syscall           vmlinux                              read entry
$ dtrace -ln syscall:mach_kernel:read:return
N syscall           vmlinux                              read return
$ dtrace -ln syscall:genunix:read:entry
N syscall           vmlinux                              read entry
$ dtrace -ln io:nosuch::start
dtrace: failed to match io:nosuch::start: No probe matches description
$ dtrace -ln syscall:nosuch:read:entry
dtrace: failed to match syscall:nosuch:read:entry: No probe matches description
$ dtrace -qn syscall:freebsd:getppid:entry /pid == $pid/ { } proc:genunix::exit /pid == $target/ { printf("%s\n", probemod); exit(0); } -c true
vmlinux

status 0
