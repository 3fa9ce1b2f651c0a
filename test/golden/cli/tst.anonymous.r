$ dtrace -A -n BEGIN
! dtrace: anonymous tracing is not supported on Linux
status 1
$ dtrace -a
! dtrace: anonymous tracing is not supported on Linux
status 1
$ dtrace -a -n BEGIN{exit(0)}
! dtrace: anonymous tracing is not supported on Linux
status 1
$ dtrace -xgrabanon -n BEGIN{exit(0)}
! dtrace: anonymous tracing is not supported on Linux
status 1
