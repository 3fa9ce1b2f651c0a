$ dtrace -Zqn pid$target:libc:nosuch:entry -c true

status 0
$ dtrace -Zqn pid$target:libc:nosuch:entry { never++; } END { printf("%d", never); } -c true
0
status 0
$ dtrace -Zqn pid*:libc.so.6:nosuch:return { never++; } BEGIN { printf("%d", never); exit(0); }
0
status 0
$ dtrace -qn pid$target:libc:nosuch:entry -c true
! dtrace: invalid probe specifier pid$target:libc:nosuch:entry: failed to lookup 'nosuch' in module 'libc.so.6'
!   1 | pid$target:libc:nosuch:entry
!     | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
status 1
$ dtrace -Zqn pid$target:libc:malloc:nosuch -c true
! dtrace: invalid probe specifier pid$target:libc:malloc:nosuch: 'nosuch' is neither entry, return, inline, line nor an offset
!   1 | pid$target:libc:malloc:nosuch
!     | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
status 1
$ dtrace -ln pid$target:libc:nosuch:entry -c true
   ID   PROVIDER            MODULE                          FUNCTION NAME
! dtrace: failed to match pidN:libc:nosuch:entry: No probe matches description
!   note: failed to lookup 'nosuch' in module 'libc.so.6'
status 0
