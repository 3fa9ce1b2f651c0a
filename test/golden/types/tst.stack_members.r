kernel depth: as printed
user depth: as printed
short depths: [3, 2, 2]
is_user: 0 1 1 0 1
pids: 0 1 1 1
second: ['as printed', 'as printed', 'as printed']
third: as printed 0 0
last: ['as printed', 'as printed']
ucaller: 1
status 0
$ dtrace -q -xcpu=0 -s unset.d
0 0 0 0
status 0
$ dtrace -q -xcpu=0 -xmaxframes=4 -n BEGIN { s = stack(); i = 4; trace(s.addrs[i]); } ERROR { exit(0); }

! dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): index out of bounds (4)
status 0
$ dtrace -q -xerrtags -xmaxframes=4 -n BEGIN { s = stack(); trace(s.addrs[4]); }
! dtrace: invalid probe specifier BEGIN { s = stack(); trace(s.addrs[4]); }: [D_ARR_BOUNDS] in action list: index outside array bounds: 4, max is 3
status 1
$ dtrace -q -xerrtags -n BEGIN { s = stack(); trace(s.deph); }
! dtrace: invalid probe specifier BEGIN { s = stack(); trace(s.deph); }: [D_TYPE_MEMBER] in action list: deph is not a member of stack
status 1
$ dtrace -q -xerrtags -n BEGIN { s = stack(); s.depth = 1; }
! dtrace: invalid probe specifier BEGIN { s = stack(); s.depth = 1; }: [D_OP_LVAL] in action list: operator = requires modifiable lvalue as an operand
status 1
$ dtrace -q -xerrtags -n BEGIN { s = stack(); s.addrs[0] = 1; }
! dtrace: invalid probe specifier BEGIN { s = stack(); s.addrs[0] = 1; }: [D_OP_WRITE] in action list: operator = can only be applied to a writable variable
status 1
$ dtrace -q -xerrtags -n BEGIN { s = stack(); trace(&s.addrs[0]); }
! dtrace: invalid probe specifier BEGIN { s = stack(); trace(&s.addrs[0]); }: [D_ADDROF_VAR] in action list: cannot take address of dynamic variable
status 1
$ dtrace -q -xerrtags -n BEGIN { s = stack(); trace(s->depth); }
! dtrace: invalid probe specifier BEGIN { s = stack(); trace(s->depth); }: [D_OP_PTR] in action list: operator -> must be applied to a pointer, not "stack"
status 1
$ dtrace -q -xcpu=0 -n BEGIN { s = stack(); trace(sizeof (s.addrs)); trace(s.depth == sizeof (s.addrs) / 8); trace(s.is_user ? "user" : "kernel"); exit(0); }
10160kernel
status 0
