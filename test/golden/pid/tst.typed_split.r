== gcc -gdwarf-5
42 7 3 42
1 3 5 5
returns 11

== gcc -gdwarf-4
42 7 3 42
1 3 5 5
returns 11

== gcc -gdwarf-5 -gz
42 7 3 42
1 3 5 5
returns 11

== clang-19 -gdwarf-5
42 7 3 42
1 3 5 5
returns 11

== clang-19 -gdwarf-4
42 7 3 42
1 3 5 5
returns 11

== clang-19 -gdwarf-5 -gz
42 7 3 42
1 3 5 5
returns 11

== beside the program
42 7 3 42
1 3 5 5
returns 11

== a package by llvm-dwp-19 clang-19 -gdwarf-5
42 7 3 42
1 3 5 5
returns 11

== a package by llvm-dwp-19 clang-19 -gdwarf-4
42 7 3 42
1 3 5 5
returns 11

== a package by dwp gcc -gdwarf-4
42 7 3 42
1 3 5 5
returns 11

== missing
dtrace: invalid probe specifier: in action list: failed to resolve types of args[ ] of pidN:prog:visit:entry: DIR/prog: a part of its debug information (-gsplit-dwarf) is not there: DIR/obj/a.dwo: No such file or directory
dtrace: invalid probe specifier: in action list: failed to resolve types of args[ ] of pidN:prog:other:entry: DIR/prog: a part of its debug information (-gsplit-dwarf) is not there: DIR/obj/b.dwo: No such file or directory
dtrace: invalid probe specifier: in action list: failed to resolve types of args[ ] of pidN:prog:other:return: DIR/prog: a part of its debug information (-gsplit-dwarf) is not there: DIR/obj/b.dwo: No such file or directory
