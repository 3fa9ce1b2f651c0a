== g++ -O0
2 4
1 3
8 16 8
L L
30 9 32
9
300 1 3 8
1 2
5 2 4 1 7 77
6
12 12 11
5 5
far::overloaded(char const*) 1
far::overloaded(int) 1
== g++ -O2
== clang++-19 -O0
== clang++-19 -O2
== errors
[D_TYPE_ERR] in action list: failed to resolve type far::Thin: Unknown type name
[D_OP_INCOMPLETE] in action list: operator -> cannot be applied to a forward declaration: no struct nowhere::Thing definition is available
[D_TYPE_ERR] in action list: failed to resolve type far::Box<long, 4>: Unknown type name
[D_IDENT_UNDEF] in action list: failed to resolve far::Kind::Medium: Unknown variable name
[D_TYPE_MEMBER] in action list: third is not a member of struct Derived
