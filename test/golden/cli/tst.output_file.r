$ dtrace -o file -xcpu=0 -n BEGIN{trace(1);exit(0)}
! dtrace: description 'BEGIN' matched 1 probe
status 0
$ dtrace -o file -xcpu=0 -n BEGIN{printf("two");exit(0)}
! dtrace: description 'BEGIN' matched 1 probe
status 0
$ dtrace -o file -qn BEGIN{printf("three\n");@=count();exit(0)}
status 0
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN           1

CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN two

three

                1
$ dtrace -o none -n BEGIN{x=}
! dtrace: invalid probe specifier: syntax error near "}"
!   1 | BEGIN{x=}
!     |         ^
status 1
$ dtrace -o none -n nosuch
! dtrace: invalid probe specifier nosuch: probe description :::nosuch does not match any probes
!   1 | nosuch
!     | ^~~~~~
status 1
err
file
out
$ dtrace -o /nonexistent/file -n BEGIN{exit(0)}
! dtrace: failed to open output file '/nonexistent/file': No such file or directory
status 1
