== gcc
7 9 -2 1 1
1 1
3 slow
struct node {
    userland struct node * next = 0
    int value = 0x9
}
100 9 -2 1 1
1 1
3 slow
struct node {
    userland struct node * next = 0
    int value = 0x9
}
== gcc -no-pie
== clang-19 -fPIE -pie
== errors
[D_IDENT_UNDEF] in action list: failed to resolve prog`nothing: Unknown symbol name
[D_IDENT_UNDEF] in action list: failed to resolve nowhere`counter: Module is no longer loaded
