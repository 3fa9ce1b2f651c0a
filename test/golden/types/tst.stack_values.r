kernel frames: several
user frames: ['deep`inner', 'deep`outer', 'deep`main']
this kernel
global kernel
self user
array user
self array kernel
declared user
chosen kernel
not chosen user
copied kernel
traced kernel
short 1 frame
user's user
status 0
$ dtrace -q -xcpu=0 -n BEGIN { x = stack(); @n[x] = count(); @n[stack()] = count(); u = ustack(); @n[u] = count(); @n[ustack()] = count();
  @s[stack(2)] = count(); @s[stack(1)] = count(); seen[x] = 5; trace(seen[stack()]); trace(seen[u]); exit(0); }
END { printa(" %@d", @n); printa(" %@d", @s); }
50 2 2 1 1
status 0
$ dtrace -q -xcpu=0 -s empty.d
[
]
[
]

status 0
$ dtrace -q -xerrtags -n BEGIN { s = stack(); trace(s + 1); }
! dtrace: invalid probe specifier BEGIN { s = stack(); trace(s + 1); }: [D_OP_INCOMPAT] in action list: operands have incompatible types: "stack" + "int"
status 1
$ dtrace -q -xerrtags -n BEGIN { s = stack(); s = 3; }
! dtrace: invalid probe specifier BEGIN { s = stack(); s = 3; }: [D_OP_INCOMPAT] in action list: operands have incompatible types: "stack" = "int"
status 1
$ dtrace -q -xerrtags -n BEGIN { s = "text"; s = stack(); }
! dtrace: invalid probe specifier BEGIN { s = "text"; s = stack(); }: [D_OP_INCOMPAT] in action list: operands have incompatible types: "string" = "stack"
status 1
$ dtrace -q -xmaxframes=3 -n BEGIN { s = stack(); trace(sizeof(s)); exit(0); }
32
status 0
