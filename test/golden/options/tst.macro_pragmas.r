$ dtrace -s default.d
0 []

status 0
$ dtrace -s default.d 7
7 []

status 0
$ dtrace -s default.d 7 a b
7 [a b]

status 0
$ dtrace -s unused.d 1 2
unused
status 0
$ dtrace -xerrtags -s plain.d
! dtrace: failed to compile script plain.d: [D_MACRO_UNDEF] line 2: macro argument $1 is not defined
status 1
$ dtrace -xerrtags -s plain.d 1 2
! dtrace: failed to compile script plain.d: [D_MACRO_UNUSED] line 3: extraneous argument '2' ($2 is not referenced)
status 1
