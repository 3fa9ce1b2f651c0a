$ dtrace -l -P dtrace
   ID   PROVIDER            MODULE                          FUNCTION NAME
N dtrace                                                     BEGIN
N dtrace                                                     END
N dtrace                                                     ERROR
$ dtrace -l -n BEGIN
   ID   PROVIDER            MODULE                          FUNCTION NAME
N dtrace                                                     BEGIN
$ dtrace -l -n dtrace:::END
   ID   PROVIDER            MODULE                          FUNCTION NAME
N dtrace                                                     END
$ dtrace -l -n :::ERROR
   ID   PROVIDER            MODULE                          FUNCTION NAME
N dtrace                                                     ERROR
$ dtrace -l -f read -n nosuch
dtrace: failed to match :::nosuch: No probe matches description
   ID   PROVIDER            MODULE                          FUNCTION NAME
N syscall           vmlinux                              read entry
N syscall           vmlinux                              read return
$ dtrace -l -f syscall::write
   ID   PROVIDER            MODULE                          FUNCTION NAME
N syscall           vmlinux                             write entry
N syscall           vmlinux                             write return
$ dtrace -l -f syscall:vmlinux:write
   ID   PROVIDER            MODULE                          FUNCTION NAME
N syscall           vmlinux                             write entry
N syscall           vmlinux                             write return
$ dtrace -l -f :syscall:vmlinux:write
   ID   PROVIDER            MODULE                          FUNCTION NAME
N syscall           vmlinux                             write entry
N syscall           vmlinux                             write return
$ dtrace -l -P :dtrace
   ID   PROVIDER            MODULE                          FUNCTION NAME
N dtrace                                                     BEGIN
N dtrace                                                     END
N dtrace                                                     ERROR
$ dtrace -l -n syscall::wr[i]te:entry
   ID   PROVIDER            MODULE                          FUNCTION NAME
N syscall           vmlinux                             write entry
$ dtrace -l -n syscall::w?it[!eip]*:entry
   ID   PROVIDER            MODULE                          FUNCTION NAME
N syscall           vmlinux                             wait4 entry
$ dtrace -l -n syscall::writ\e:entry
   ID   PROVIDER            MODULE                          FUNCTION NAME
N syscall           vmlinux                             write entry
$ dtrace -l -n syscall::write:entry,syscall::read:return
   ID   PROVIDER            MODULE                          FUNCTION NAME
N syscall           vmlinux                             write entry
N syscall           vmlinux                              read return
$ dtrace -l -n syscall::$1:entry write
   ID   PROVIDER            MODULE                          FUNCTION NAME
N syscall           vmlinux                             write entry
$ dtrace -l -i 1
   ID   PROVIDER            MODULE                          FUNCTION NAME
N dtrace                                                     BEGIN
$ dtrace -l -n profile:::tick-5s
   ID   PROVIDER            MODULE                          FUNCTION NAME
N profile                                                     tick-5s
$ dtrace -i 1 -n BEGIN{exit(0)} -x cpu=0
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 
  0      1                           :BEGIN 

! dtrace: description '1' matched 1 probe
! dtrace: description 'BEGIN' matched 1 probe
status 0
$ dtrace -i 2{trace("two")} -n BEGIN{exit(0)} -x cpu=0
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 
  0      2                             :END   two                              

! dtrace: description '2' matched 1 probe
! dtrace: description 'BEGIN' matched 1 probe
status 0
$ dtrace -n a:b:c:d:e
! dtrace: invalid probe specifier a:b:c:d:e: invalid probe description "a:b:c:d:e": Overspecified probe description
!   1 | a:b:c:d:e
!     | ^~~~~~~~~
status 1
$ dtrace -f a:b:c:d
! dtrace: invalid probe specifier a:b:c:d: invalid probe description "a:b:c:d": Overspecified probe description
!   1 | a:b:c:d
!     | ^~~~~~~
status 1
$ dtrace -m a:b:c
! dtrace: invalid probe specifier a:b:c: invalid probe description "a:b:c": Overspecified probe description
!   1 | a:b:c
!     | ^~~~~
status 1
$ dtrace -P a:b
! dtrace: invalid probe specifier a:b: invalid probe description "a:b": Overspecified probe description
!   1 | a:b
!     | ^~~
status 1
$ dtrace -P ::a
! dtrace: invalid probe specifier ::a: invalid probe description "::a": Overspecified probe description
!   1 | ::a
!     | ^~~
status 1
$ dtrace -i 999999999
! dtrace: invalid probe specifier 999999999: invalid probe description "999999999": Unknown probe identifier
!   1 | 999999999
!     | ^~~~~~~~~
status 1
$ dtrace -n a:b:c:d -n BEGIN
! dtrace: invalid probe specifier a:b:c:d: probe description a:b:c:d does not match any probes
!   1 | a:b:c:d
!     | ^~~~~~~
status 1
$ dtrace -P nosuch
! dtrace: invalid probe specifier nosuch: probe description nosuch::: does not match any probes
!   1 | nosuch
!     | ^~~~~~
status 1
