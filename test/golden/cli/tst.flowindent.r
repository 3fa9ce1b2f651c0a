$ dtrace -xcpu=0 -Fn BEGIN{trace(1);exit(0)}
CPU FUNCTION                                 
  0 | :BEGIN                                            1

! dtrace: description 'BEGIN' matched 1 probe
status 0
$ dtrace -xcpu=0 -Fqn BEGIN{trace(1)} END{printf("end")} BEGIN{exit(0)}
CPU FUNCTION                                 
  0 | :BEGIN                                  1  0 | :BEGIN                                    0 | :END                                    end
status 0
$ dtrace -xcpu=0 -Fn BEGIN{x=1;exit(0)} END{@=count()}
CPU FUNCTION                                 
  0 | :BEGIN                                  

                1
! dtrace: description 'BEGIN' matched 2 probes
status 0
$ dtrace -xcpu=0 -xswitchrate=10s -qc taskset -c 0 cat /dev/null -F -n 
syscall::openat:entry, syscall::openat:return, syscall::fadvise64:entry, syscall::fadvise64:return
/pid == $target && execname == "cat"/ { self->on = 1; }
syscall::fadvise64:entry /self->on/ { trace("first"); }
syscall::fadvise64:entry /self->on/ { printf("second"); }
syscall::fadvise64:return /self->on/ { trace(1); }
syscall::fadvise64:return /self->on/ { trace(2); exit(0); }
CPU FUNCTION                                 
  0  => fadvise64                             first  0   | fadvise64:entry                       second  0   | fadvise64:return                      1  0  <= fadvise64                             2
status 0
