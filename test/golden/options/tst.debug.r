$ dtrace -qxdebug -n BEGIN{exit(0)}

! libdtrace DEBUG N ms: BEGIN compiled (clauses: 1, probes: 1)
! libdtrace DEBUG N ms: generated N bytes of BPF
! libdtrace DEBUG N ms: BPF programs loaded: 1
! libdtrace DEBUG N ms: probes attached
! libdtrace DEBUG N ms: tracing begins
! libdtrace DEBUG N ms: tracing ends
! libdtrace DEBUG N ms: probes removed
status 0
$ dtrace -qn BEGIN{exit(0)}

! libdtrace DEBUG N ms: BEGIN compiled (clauses: 1, probes: 1)
! libdtrace DEBUG N ms: generated N bytes of BPF
! libdtrace DEBUG N ms: BPF programs loaded: 1
! libdtrace DEBUG N ms: probes attached
! libdtrace DEBUG N ms: tracing begins
! libdtrace DEBUG N ms: tracing ends
! libdtrace DEBUG N ms: probes removed
status 0
1 IR -
2 - BPF
3 IR BPF
0 - -
1
abort
status 134
$ dtrace -qxlockmem=unlimited -n BEGIN{exit(0)}

status 0
$ dtrace -qxlockmem=64m -n BEGIN{exit(0)}

status 0
$ dtrace -qxlockmem=much -n BEGIN{exit(0)}
! dtrace: failed to set -x lockmem: Invalid value for specified option
!   note: lockmem takes a size, as in 64m, or unlimited
status 1
