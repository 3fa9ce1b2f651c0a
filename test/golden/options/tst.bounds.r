== of memory
$ dtrace -qb 64t -n BEGIN{exit(0)}

! dtrace: buffer size lowered to what there is
status 0
written
! dtrace: buffer size lowered to what there is
status 0
$ dtrace -qxquietresize -b 64t -n BEGIN{exit(0)}

status 0
$ dtrace -qxbufresize=manual -b 64t -n BEGIN{exit(0)}
! dtrace: could not enable tracing: Not enough space
status 1
== of rates and versions
$ dtrace -qxcleanrate=10000hz -xstatusrate=1m -n BEGIN{exit(0)}

! dtrace: cleaning rate reduced to 5000 hz
! dtrace: status rate increased to once every 10 seconds
status 0
$ dtrace -qxcleanrate=2m -n BEGIN{exit(0)}

! dtrace: cleaning rate increased to once every 60 seconds
status 0
$ dtrace -qxversion=1.6.2 -n BEGIN{exit(0)}

status 0
$ dtrace -xversion=1.99 -n BEGIN
! dtrace: failed to set -x version: Requested version is not supported by compiler
status 1
$ dtrace -xversion=new -n BEGIN
! dtrace: failed to set -x version: Invalid value for specified option
!   note: version takes a version of D, as in 1.13
status 1
== of the environment
$ dtrace -xsetenv=NOVALUE -n BEGIN
! dtrace: failed to set -x setenv: Invalid value for specified option
!   note: setenv takes name=value
status 1
$ dtrace -xunsetenv=A=1 -n BEGIN
! dtrace: failed to set -x unsetenv: Invalid value for specified option
!   note: unsetenv takes the name of a variable
status 1
A=2
C=3
== of numbers
$ dtrace -i x
! dtrace: invalid probe specifier x: invalid probe description "x": Unknown probe identifier
status 1
$ dtrace -i 1x
! dtrace: invalid probe specifier 1x: invalid probe description "1x": Unknown probe identifier
status 1
$ dtrace -i -1
! dtrace: invalid probe specifier -1: invalid probe description "-1": Unknown probe identifier
status 1
$ dtrace -i 
! dtrace: invalid probe specifier : empty D program translation unit
!   1 | 
!     | ^
status 1
$ dtrace -i 4000000000
! dtrace: invalid probe specifier 4000000000: invalid probe description "4000000000": Unknown probe identifier
!   1 | 4000000000
!     | ^~~~~~~~~~
status 1
$ dtrace -i 1 2
! dtrace: invalid probe specifier 1 2: invalid probe description "1 2": Unknown probe identifier
status 1
$ dtrace -qi 1{trace("by number");exit(0)}
by number
status 0
$ dtrace -qxtree=3 -n BEGIN{exit(0)}

! clause 1:1
!   probe 1:1 :::BEGIN
!   body
!     statement 1:7
!       call 1:7
!         ident 1:7 exit
!         int 1:12 0
! program "BEGIN" matched 1
!   clause :::BEGIN probes 1
!     attributes Stable/Stable/Common of description Stable/Stable/Common
!     action exit
!       int 0 : int
status 0
1
