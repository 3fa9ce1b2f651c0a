$ dtrace -L one -L two -L broken -qn BEGIN { trace(sides_of_square); exit(0); }
4
status 0
$ dtrace -L one -L two -L broken -qn BEGIN { trace(xlate<shape_t *>(curthread)->sh_sides); exit(0); }
! dtrace: one/first.d and two/second.d define shape_t differently: remove one of them
status 1
$ dtrace -L one -L two -L broken -qn BEGIN { trace(sizeof (shape_t)); exit(0); }
! dtrace: one/first.d and two/second.d define shape_t differently: remove one of them
status 1
$ dtrace -L one -L two -L broken -qn BEGIN { trace(needs_gone); exit(0); }
! dtrace: D library broken/needs.d depends on library gone.d, which does not exist
! dtrace: invalid probe specifier: in action list: failed to resolve needs_gone: Unknown variable name
!   1 | BEGIN { trace(needs_gone); exit(0); }
!     |               ^~~~~~~~~~
status 1
$ dtrace -L one -L syntax -qn BEGIN { trace(sides_of_square); exit(0); }
! dtrace: failed to initialize dtrace: "syntax/broken.d", line 1: syntax error near ";"
!   1 | inline int in_broken = 1 +;
!     |                           ^
!   note: there is no ; between clauses
status 1
