$ dtrace -n pid5000000:::entry
! dtrace: invalid probe specifier pid5000000:::entry: failed to grab process 5000000: No such process
!   1 | pid5000000:::entry
!     | ^~~~~~~~~~~~~~~~~~
status 1
$ dtrace -n pid5000000:libc:malloc:entry,BEGIN { exit(0); }
! dtrace: invalid probe specifier: failed to grab process 5000000: No such process
!   1 | pid5000000:libc:malloc:entry,BEGIN { exit(0); }
!     | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
status 1
$ dtrace -l -n pid5000000:::
! dtrace: invalid probe specifier pid5000000:::: failed to grab process 5000000: No such process
!   1 | pid5000000:::
!     | ^~~~~~~~~~~~~
status 1
$ dtrace -p 5000000 -n pid$target:::entry
! dtrace: failed to grab pid 5000000: No such process
status 1
$ dtrace -xerrtags -n pid5000000:a.out::entry
! dtrace: invalid probe specifier pid5000000:a.out::entry: [D_PROC_GRAB] failed to grab process 5000000: No such process
status 1
$ dtrace -n watchpoint5000000:a.out:counter:write
! dtrace: invalid probe specifier watchpoint5000000:a.out:counter:write: failed to grab process 5000000: No such process
!   1 | watchpoint5000000:a.out:counter:write
!     | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
status 1
$ dtrace -xerrtags -n plockstat5000000:::mutex-block
! dtrace: invalid probe specifier plockstat5000000:::mutex-block: [D_PROC_GRAB] failed to grab process 5000000: No such process
status 1
