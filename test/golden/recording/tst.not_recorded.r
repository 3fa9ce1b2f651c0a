$ dtrace -xerrtags --replay run.rec -n BEGIN { trace(uid); exit(0); }
! dtrace: invalid probe specifier BEGIN { trace(uid); exit(0); }: [D_NOT_RECORDED] 'uid' was not recorded at dtrace:::BEGIN
status 1
$ dtrace --replay run.rec -n BEGIN { trace(strjoin(execname, "!")); trace(ppid + 1); exit(0); }
! dtrace: invalid probe specifier: 'ppid' was not recorded at dtrace:::BEGIN
!   1 | BEGIN { trace(strjoin(execname, "!")); trace(ppid + 1); exit(0); }
!     |                                              ^~~~
!   note: record it with: dtrace --record FILE -n 'dtrace:::BEGIN { trace(ppid); }'
status 1
$ dtrace -q --replay run.rec -n BEGIN { trace(strjoin(execname, "!")); exit(0); }
dtrace!
status 0
$ dtrace --replay run.rec -n syscall:::entry { @ = count(); }
! dtrace: invalid probe specifier: probe description syscall:::entry does not match any probes
!   1 | syscall:::entry { @ = count(); }
!     | ^~~~~~~~~~~~~~~
!   note: the recording has no such probe; it has probes of dtrace
status 1
$ dtrace -xerrtags --record none.rec -n BEGIN { self->p = arg0; trace(copyinstr(self->p)); exit(0); }
! dtrace: invalid probe specifier BEGIN { self->p = arg0; trace(copyinstr(self->p)); exit(0); }: [D_NOT_RECORDED] 'copyinstr(self->p)' cannot be recorded: what it reads depends on what the program has computed, and other programs will ask the recording
status 1
$ dtrace -q --replay run.rec -n BEGIN { system("echo no"); exit(0); }
! dtrace: a replay changes nothing: the program has destructive actions
status 1
$ dtrace -x recordstacks=all --record none.rec -n BEGIN
! dtrace: option recordstacks: there are no stacks 'all': write user or kernel
status 1
$ dtrace -q --record none.rec -o text -n BEGIN
! dtrace: --record prints nothing, so -o has no effect: with -x recordrun the programs run as well
status 1
$ dtrace --record none.rec
! dtrace: no probes specified
status 1
$ dtrace --record none.rec -l -n BEGIN
! dtrace: --record runs programs
status 2
