$ dtrace -L one -qn BEGIN{printf("%d %d", ONE, SIGKILL);exit(0)}
77 9
status 0
$ dtrace -xlibdir=one -L two -qn BEGIN{trace(MORE+TWO);exit(0)}
80
status 0
$ dtrace -xsyslibdir=one -qn BEGIN{trace(MORE);exit(0)}
78
status 0
$ dtrace -xsyslibdir=one -qn BEGIN{trace(SIGKILL);exit(0)}
! dtrace: invalid probe specifier: in action list: failed to resolve SIGKILL: Unknown variable name
!   1 | BEGIN{trace(SIGKILL);exit(0)}
!     |             ^~~~~~~
status 1
$ dtrace -xnolibs -qn BEGIN{trace(pid == $pid);exit(0)}
1
status 0
$ dtrace -xnolibs -qn BEGIN{trace(SIGKILL);exit(0)}
! dtrace: invalid probe specifier: in action list: failed to resolve SIGKILL: Unknown variable name
!   1 | BEGIN{trace(SIGKILL);exit(0)}
!     |             ^~~~~~~
status 1
$ dtrace -L two -qn BEGIN{trace(BAD);exit(0)}
! dtrace: invalid probe specifier: "two/bad.d", line 1: failed to resolve nosuchname: Unknown variable name
!   1 | inline int BAD = nosuchname;
!     |                  ^~~~~~~~~~
status 1
$ dtrace -L two -qn BEGIN{trace(SKIPPED);exit(0)}
! dtrace: invalid probe specifier: in action list: failed to resolve SKIPPED: Unknown variable name
!   1 | BEGIN{trace(SKIPPED);exit(0)}
!     |             ^~~~~~~
status 1
$ dtrace -L two -qn BEGIN{trace(HIDDEN);exit(0)}
! dtrace: invalid probe specifier: in action list: failed to resolve HIDDEN: Unknown variable name
!   1 | BEGIN{trace(HIDDEN);exit(0)}
!     |             ^~~~~~
status 1
$ dtrace -L nosuchdirectory -qn BEGIN{trace(1);exit(0)}
1
! dtrace: warning: no D libraries in nosuchdirectory: No such file or directory
status 0
$ dtrace -L clause -qn BEGIN{exit(0)}
! dtrace: failed to initialize dtrace: "clause/c.d", line 2: D library may not contain probe clauses
status 1
$ dtrace -L provider -qn BEGIN{exit(0)}
! dtrace: failed to initialize dtrace: "provider/p.d", line 3: ';' expected after a provider
status 1
$ dtrace -qs provider/p.d
! dtrace: failed to compile script provider/p.d: line 4: syntax error near "inline"
!   4 | inline int FINE = 1;
!     | ^~~~~~
status 1
$ dtrace -h -s provider/p.d -o shop.h
status 0
$ dtrace -L syntax -n BEGIN{exit(0)}
! dtrace: failed to initialize dtrace: "syntax/s.d", line 4: syntax error near "}"
!   4 | } s_t;
!     | ^
status 1
$ dtrace -L syntax -xerrtags -qn BEGIN{exit(0)}
! dtrace: failed to initialize dtrace: [D_SYNTAX] "syntax/s.d", line 4: syntax error near "}"
!   4 | } s_t;
!     | ^
status 1
$ dtrace -xsyslibdir=syntax -qn BEGIN{exit(0)}

status 0
1
