$ dtrace -n BEGIN{trace(1);exit(0)}
status 1
! dtrace: failed to write to <stdout>: Bad file descriptor
status 1
! dtrace: failed to write to <stdout>: No space left on device
$ dtrace -l -n BEGIN
status 1
! dtrace: failed to write to <stdout>: Bad file descriptor
status 1
! dtrace: failed to write to <stdout>: No space left on device
$ dtrace -V
status 1
! dtrace: failed to write to <stdout>: Bad file descriptor
status 1
! dtrace: failed to write to <stdout>: No space left on device
$ dtrace --help
status 1
! dtrace: failed to write to <stdout>: Bad file descriptor
status 1
! dtrace: failed to write to <stdout>: No space left on device
$ dtrace -v -n BEGIN{exit(0)}
status 1
! dtrace: failed to write to <stdout>: Bad file descriptor
status 1
! dtrace: failed to write to <stdout>: No space left on device
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN           1

status 0
1
status 0
status 2
no input
status 0
status 1
