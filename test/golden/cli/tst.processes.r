$ dtrace -qc true -n END{trace("end")}
end
status 0
$ dtrace -qc false -n END{trace("end")}
end
status 0
$ dtrace -xcpu=0 -c false -n END{trace("end")}
CPU     ID                    FUNCTION:NAME
  0      2                             :END   end                              

! dtrace: description 'END' matched 1 probe
! dtrace: pid N exited with status 1
status 0
$ dtrace -xcpu=0 -c ./suicide -n END{trace("end")}
CPU     ID                    FUNCTION:NAME
  0      2                             :END   end                              

! dtrace: description 'END' matched 1 probe
! dtrace: pid N terminated by SIGTERM
status 0

  0      2                             :END 
! dtrace: description 'END' matched 1 probe
! dtrace: pid N has exited
! dtrace: pid N terminated by SIGTERM
CPU     ID                    FUNCTION:NAME
status 0
$ dtrace -qc echo   several	blanks -n BEGIN{printf("begin\n")} END{printf("end\n")}
begin
several blanks
end

status 0
$ dtrace -c /nonexistent/command -n BEGIN{exit(0)}
! dtrace: failed to execute /nonexistent/command: No such file or directory
status 1
$ dtrace -c  -n BEGIN{exit(0)}
! dtrace: failed to execute : No such file or directory
status 1
$ dtrace -p nonumber -n BEGIN
! dtrace: invalid pid: nonumber
!   note: processes of that name: -p $(pgrep -d, nonumber)
status 1
$ dtrace -p 0 -n BEGIN
! dtrace: invalid pid: 0
status 1
$ dtrace -p 999999999 -n BEGIN
! dtrace: failed to grab pid 999999999: No such process
status 1
$ dtrace -c true -n BEGIN{x=}
! dtrace: invalid probe specifier: syntax error near "}"
!   1 | BEGIN{x=}
!     |         ^
status 1
dtrace: description 'BEGIN' matched 1 probe
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 1
dtrace: pid FIRST has exited
dtrace: pid SECOND has exited


lives on
ended
status 137
gone too
$ dtrace -qc echo command -n BEGIN{printf("%s\n", $target > 1 ? "begin" : "no target")}
begin
command

status 0
$ dtrace -p 4294967297 -n BEGIN
! dtrace: invalid pid: 4294967297
status 1
$ dtrace -p 1x -n BEGIN
! dtrace: invalid pid: 1x
status 1
