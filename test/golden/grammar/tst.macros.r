4 foo 7 1f 8 8
a b|a b|tab	here|4
1 1 1 1 0 0
1 1 a.d 1

[quoted][]

[-][self->x]

dtrace: failed to compile script b.d: [D_MACRO_UNDEF] macro argument $$2 is not defined
dtrace: failed to compile script b.d: [D_MACRO_UNUSED] line 2: extraneous argument 'three' ($3 is not referenced)
dtrace: failed to compile script b.d: [D_IDENT_UNDEF] line 1: failed to resolve one: Unknown variable name
0 [] 0

dtrace: invalid probe specifier BEGIN { trace($1); }: [D_MACRO_OFLOW] macro argument $1 overflows 64 bits: 99999999999999999999
18446744073709551615
dtrace: invalid probe specifier BEGIN { trace($nosuch); }: [D_MACRO_UNDEF] macro variable $nosuch is not defined
matched

glued

tick

dtrace: invalid probe specifier $nosuch:::BEGIN { }: [D_PDESC_INVAL] invalid probe description "$nosuch:::BEGIN": Undefined macro variable in probe description
dtrace: invalid probe specifier $1:::BEGIN { }: [D_PDESC_INVAL] invalid probe description "$1:::BEGIN": Macro value contains a colon
dtrace: warning: [D_MACRO_UNDEF] $target is 0: there is no process of -c or -p
dtrace: warning: [D_MACRO_UNDEF] $$target is 0: there is no process of -c or -p
00
dtrace: warning: [D_MACRO_UNDEF] $target is 0: there is no process of -c or -p

dtrace: invalid probe specifier python$target:::* { }: [D_PDESC_INVAL] invalid probe description "python$target:::*": Undefined macro variable in probe description: $target is the process of -c or -p
0

1 1

