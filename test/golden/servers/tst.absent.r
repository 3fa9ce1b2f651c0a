$ dtrace -eZn nfsv3:::op-read-done { @[args[1]->noi_curpath] = count(); @b = sum(args[2]->count); }
status 0
$ dtrace -eZn nfsv4:::op-*-done { @[args[0]->ci_remote, args[1]->noi_cred->cr_uid] = count(); }
status 0
$ dtrace -eZn iscsi:::scsi-command { @[args[1]->ii_target, args[2]->ic_cdb[0]] = count(); }
status 0
$ dtrace -eZn nfsv3:::op-read-done { trace(args[3]); }
! dtrace: invalid probe specifier: in action list: index 3 is out of range for nfsv3:::op-read-done args[ ]
!   1 | nfsv3:::op-read-done { trace(args[3]); }
!     |                              ^~~~~~~
status 1
$ dtrace -eZn nosuch*:::op-read-done { trace(args[1]); }
! dtrace: invalid probe specifier: in action list: args[ ] may not be referenced because probe description nosuch*:::op-read-done does not match any probes
!   1 | nosuch*:::op-read-done { trace(args[1]); }
!     |                                ^~~~~~~
status 1
