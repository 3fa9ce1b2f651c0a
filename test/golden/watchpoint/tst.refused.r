dtrace: invalid probe specifier watchpoint$target:a.out:counter:wrote: probe description watchpointPID:a.out:counter:wrote does not match any probes
  note: the name of a watchpoint is write, access or execute, the first two also with a size: write-1, -2, -4, -8
dtrace: invalid probe specifier watchpoint$target:a.out:count*:write: probe description watchpointPID:a.out:count*:write does not match any probes
  note: a watchpoint needs one variable, or one address (ADDRESS) in the position of the function
dtrace: invalid probe specifier watchpoint$target:a.out:nothing:write: probe description watchpointPID:a.out:nothing:write does not match any probes
  note: there is no symbol 'nothing' in a.out
dtrace: invalid probe specifier watchpointPID:a.out:counter:write: [D_PROC_BADPID] no process with pid 0: $target is 0 without -c and -p
dtrace: could not enable tracing: cannot set a watchpoint on 4 bytes at ADDRESS: the processor cannot watch this address, which has to be a multiple of the size: Invalid argument
dtrace: could not enable tracing: cannot set a watchpoint on 8 bytes at ADDRESS: all breakpoints of the processor are in use: No space left on device
