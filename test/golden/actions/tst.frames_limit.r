$ dtrace -en BEGIN { stack(127); ustack(500); }
status 0
$ dtrace -en BEGIN { stack(128); }
! dtrace: warning: in action list: stack( ) of 128 frames: at most 127 are recorded, as option maxframes says; the kernel's own limit is kernel.perf_event_max_stack
status 0
$ dtrace -xmaxframes=10 -en BEGIN { stack(11); stack(); }
! dtrace: warning: in action list: stack( ) of 11 frames: at most 10 are recorded, as option maxframes says; the kernel's own limit is kernel.perf_event_max_stack
status 0
$ dtrace -xstackframes=200 -en BEGIN { stack(); }
! dtrace: warning: in action list: stack( ) of 200 frames: at most 127 are recorded, as option maxframes says; the kernel's own limit is kernel.perf_event_max_stack
status 0
$ dtrace -xmaxframes=LIMIT + 1 -en BEGIN { stack(LIMIT); stack(LIMIT + 1); ustack(LIMIT + 1); }
! dtrace: warning: in action list: stack( ) of LIMIT + 1 frames: the kernel records at most LIMIT, as sysctl kernel.perf_event_max_stack says
status 0
