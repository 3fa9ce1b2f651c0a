$ dtrace -qn BEGIN{exit(0)}

status 0
$ dtrace -qn BEGIN{exit(3)}

status 3
$ dtrace -qn BEGIN{exit(263)}

status 7
$ dtrace -qn BEGIN{trace("hi");exit(0)}
hi
status 0
$ dtrace -qn BEGIN{exit(2)} END{exit(5)}

status 2
$ dtrace -q
! dtrace: no probes specified
status 1
$ dtrace -n nosuch
! dtrace: invalid probe specifier nosuch: probe description :::nosuch does not match any probes
!   1 | nosuch
!     | ^~~~~~
status 1
$ dtrace -xcpu=0 -Z -n nosuch -n BEGIN{exit(4)}
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 

! dtrace: description 'nosuch' matched 0 probes
! dtrace: description 'BEGIN' matched 1 probe
status 4
$ dtrace -x quiet operand
! dtrace: no probes specified: write -n before 'operand'
status 1
