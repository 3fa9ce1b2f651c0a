$ dtrace -C -D A -DB=3 -s ab.d
1 3

status 0
$ dtrace -C -DA=1 -DB=3 -U A -s ab.d
! dtrace: failed to compile script ab.d: line 2: failed to resolve A: Unknown variable name
!   2 | BEGIN{printf("%d %d\n", A, 3); exit(0);}
!     |                         ^
status 1
$ dtrace -C -xdefine=A=4 -xdefine=B=5 -s ab.d
4 5

status 0
$ dtrace -C -I inc -DZ=2 -s y.d
8 2

status 0
$ dtrace -C -H -I inc -DZ=2 -s y.d
8 2

! . inc/y.h
status 0
$ dtrace -C -s y.d
! y.d:1:10: fatal error: y.h: No such file or directory
!     1 | #include <y.h>
!       |          ^~~~~
! dtrace: failed to compile script y.d: Preprocessor failed to process input program
status 1
$ dtrace -C -s pre.d
1 1 1 1

status 0
$ dtrace -q -C -Xa -s std.d
stdc
status 0
$ dtrace -q -C -Xs -s std.d

status 0
$ dtrace -C -Xq -s std.d
! dtrace: failed to set -x stdc: Invalid value for specified option
!   note: stdc takes a, c, s or t
status 1
$ dtrace -C -s bad.d
! dtrace: failed to compile script bad.d: line 3: failed to resolve nosuchname: Unknown variable name
!   3 | BEGIN{trace(nosuchname);}
!     |             ^~~~~~~~~~
status 1
$ dtrace -C -xcpppath=/nonexistent/cpp -s ab.d
! dtrace: failed to compile script ab.d: Preprocessor not found
status 1
$ dtrace -C -s no.d
! no.d:1:10: fatal error: nosuch.h: No such file or directory
!     1 | #include <nosuch.h>
!       |          ^~~~~~~~~~
! compilation terminated.
! dtrace: failed to compile script no.d: Preprocessor failed to process input program
status 1
$ dtrace -s ab.d
! dtrace: failed to compile script ab.d: line 2: failed to resolve A: Unknown variable name
!   2 | BEGIN{printf("%d %d\n", A, B); exit(0);}
!     |                         ^
status 1
one version
