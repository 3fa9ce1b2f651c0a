work 3 -2 label 200
loop 0 0 -2
loop 1 -2 -2
loop 2 -6 -2
inner -7 2 3
after -6 buffer first 41 -2 7 200
inlined -4 3 -2
work 7 5 other 1
loop 0 0 5
loop 1 5 5
loop 2 15 5
inner -7 2 7
after 15 buffer last 42 5 -1 1
inlined 10 7 5
real 9
stacked 1 77 -88
real 3

gcc -O0 -fomit-frame-pointer: the same
clang-19 -O0: the same
clang-19 -O0 -fomit-frame-pointer: the same
gcc -O0 -gdwarf-4 -gz: the same
== each variable
WORK item->id 3;7;
WORK weight -2;5;
WORK flag 200;1;
LOOP i 0;1;2;0;1;2;
LOOP sum 0;-2;-6;0;5;15;
LOOP weight -2;-2;-2;5;5;5;
INNER sum -7;-7;
INNER i 2;2;
INNER item->id 3;7;
AFTER sum -6;15;
AFTER pair.second -2;5;
AFTER calls 41;42;
AFTER flag 200;1;
AFTER weight -2;5;
INLINED doubled -4;10;
INLINED item->id 3;7;
INLINED weight -2;5;
REAL whole 9;3;
STACKED a 1;
STACKED g 77;
STACKED h -88;
AFTER buffer[1] 117;117;
AFTER label[0] 108;111;
gcc -Og: most values can be had
gcc -O2: most values can be had
gcc -O3 -gdwarf-4: most values can be had
clang-19 -O1: most values can be had
clang-19 -O2: most values can be had
clang-19 -O2 -gdwarf-4 -fno-omit-frame-pointer: most values can be had
== instructions
1
[D_LOCALS_PLACE] in action list: the value of locals->gone is not available in an instruction: the function has not stored it yet at this instruction
1
== C++: references, objects passed by reference, members of base classes
caught 21
21 4 4 0
caught 21
21 4 4 0
== errors
[D_LOCALS_NAME] in action list: failed to resolve locals->nosuch of pidN:locals:locals.c@22:line: no variable nosuch is in scope; in scope are item, weight, label, flag, sum, calls, buffer, pair, i
[D_LOCALS_NAME] in action list: failed to resolve locals->i of pidN:locals:locals.c@30:line: i is not in scope at offset N; it is in scope: that of line 20 at offsets N to M
[D_OP_SOU] in action list: operator -> must be applied to a pointer to a struct or union, not "char *"
[D_IDENT_BADREF] in action list: locals may not be referenced as scalar
[D_ARGS_TYPE] in action list: failed to resolve types of args[ ] of pidN:locals:locals.c@22:line: only entries, returns and inlined calls have args[ ]; use locals->NAME for variables, and arg0 to arg9
[D_LOCALS_NONE] in action list: failed to resolve locals->item of pidN:locals:work:entry: it is at an entry or a return, where parameters are args.NAME
[D_LOCALS_NONE] in action list: failed to resolve locals->weight of pidN:locals:work:entry: it is at an entry or a return, where parameters are args.NAME
[D_LOCALS_NONE] in action list: failed to resolve locals->x of pidN:nosuch.so:x.c@3:line: it matches no probes yet
[D_LOCALS_PLACE] in action list: the value of locals->gone is not available in pidN:a.out:locals.c@47:line: only its value at the function's entry is known
[D_LOCALS_PLACE] in action list: the value of locals->ratio is not available in pidN:a.out:locals.c@37:line: it is in a floating-point or vector register, which the kernel does not show to probes
== own variables of that name
3

