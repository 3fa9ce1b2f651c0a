$ dtrace -Fn pid$target:nest:main:entry, pid$target:nest:main:return, pid$target:nest:outer:entry, pid$target:nest:outer:return, pid$target:nest:inner:entry, pid$target:nest:inner:return {}
CPU FUNCTION
  0  -> main
  0    -> outer
  0      -> inner
  0      <- inner
  0      -> inner
  0      <- inner
  0    <- outer
  0  <- main

! dtrace: description 'pid$target:nest:main:entry, pid$target:nest:main:return, pid$target:nest:outer:entry, pid$target:nest:outer:return, pid$target:nest:inner:entry, pid$target:nest:inner:return ' matched 6 probes
! dtrace: pid N has exited
status 0
$ dtrace -Fn pid$target:nest:main:entry, pid$target:nest:main:return, pid$target:nest:outer:entry, pid$target:nest:outer:return, pid$target:nest:inner:entry, pid$target:nest:inner:return {} syscall::getppid: /pid == $target/ {}
CPU FUNCTION
  0  -> main
  0    -> outer
  0      -> inner
  0        => getppid
  0        <= getppid
  0      <- inner
  0      -> inner
  0        => getppid
  0        <= getppid
  0      <- inner
  0    <- outer
  0  <- main

! dtrace: description 'pid$target:nest:main:entry, pid$target:nest:main:return, pid$target:nest:outer:entry, pid$target:nest:outer:return, pid$target:nest:inner:entry, pid$target:nest:inner:return ' matched 8 probes
! dtrace: pid N has exited
status 0
$ dtrace -Fn pid$target:nest:outer:entry, pid$target:nest:outer:return {} syscall::getppid:entry /pid == $target/ {} syscall::getppid:entry /pid == $target/ { trace("again"); } syscall::getppid:return /pid == $target/ { trace(1); } syscall::getppid:return /pid == $target/ { trace(2); }
CPU FUNCTION
  0  -> outer
  0    => getppid
  0     | getppid:entry                         again
  0     | getppid:return                                1
  0    <= getppid                                       2
  0    => getppid
  0     | getppid:entry                         again
  0     | getppid:return                                1
  0    <= getppid                                       2
  0  <- outer

! dtrace: description 'pid$target:nest:outer:entry, pid$target:nest:outer:return ' matched 6 probes
! dtrace: pid N has exited
status 0
$ dtrace -Fn pid$target:nest:inner:entry, pid$target:nest:inner:return {} rawtp:::sys_enter /pid == $target && args[1] == getppid/ { trace("inside"); }
CPU FUNCTION
  0  -> inner
  0   | :sys_enter                              inside
  0  <- inner
  0  -> inner
  0   | :sys_enter                              inside
  0  <- inner

! dtrace: description 'pid$target:nest:inner:entry, pid$target:nest:inner:return ' matched 3 probes
! dtrace: pid N has exited
status 0
$ dtrace -Fn pid$target:nest:inner:return {} pid$target:nest:outer:return {}
CPU FUNCTION
  0  <- inner
  0  <- inner
  0  <- outer

! dtrace: description 'pid$target:nest:inner:return ' matched 2 probes
! dtrace: pid N has exited
status 0
$ dtrace -Fn pid$target:nest:outer:entry {} pid$target:nest:inner:entry {}
CPU FUNCTION
  0  -> outer
  0    -> inner
  0      -> inner

! dtrace: description 'pid$target:nest:outer:entry ' matched 2 probes
! dtrace: pid N has exited
status 0
$ dtrace -n pid$target:nest:outer:entry { setopt("flowindent"); } pid$target:nest:inner:entry, pid$target:nest:inner:return {} pid$target:nest:outer:return { setopt("flowindent", "no"); }
CPU     ID                    FUNCTION:NAME
0 ID outer:entry
  0  -> inner
  0  <- inner
  0  -> inner
  0  <- inner
  0  <- outer

! dtrace: description 'pid$target:nest:outer:entry ' matched 4 probes
! dtrace: pid N has exited
status 0
