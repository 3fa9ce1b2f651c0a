visit 17 1 2 0 alice first
  bits 1 2 3 union 34333231 2 point 9 -10 grid 10 12
  next 42 bob
  cast 42 17 56
  returns 121 17 1
visit 42 200 1 1 bob second
  bits 5 100 -3 union 64636261 b point -7 8 grid 4 6
narrow -5 65535 1 200 -1234567890123
many 1 -2 3 -4 5 -6 7 -8 -9
by_value 111 -22 10 50 33
floats 1 4
mixing 5
pair 1000 1001
minus -3
second 42 bob
nothing 1 3 4
kept 5 hello
gcc -O1: the same
gcc -O2: the same
gcc -O3: the same
gcc -O2 -gdwarf-4: the same
gcc -Og -gz: the same
gcc -O2 -fno-var-tracking: the same
clang-19 -O0: the same
clang-19 -O1: the same
clang-19 -O2: the same
clang-19 -O3: the same
== errors
[D_ARGS_PLACE] in action list: the value of args[1] is not available in pidN:a.out:floats:entry: it is in a floating-point or vector register, which the kernel does not show to probes
[D_ARGS_PLACE] in action list: the value of args[1] is not available in pidN:a.out:floats:return: it is in a floating-point or vector register, which the kernel does not show to probes
[D_ARGS_IDX] in action list: index 1 is out of range for pidN:a.out:nothing:return args[ ]
[D_ARGS_IDX] in action list: index 3 is out of range for pidN:a.out:visit:entry args[ ]
[D_TYPE_MEMBER] in action list: missing is not a member of node_t
[D_OP_INCOMPLETE] in action list: operator -> cannot be applied to a forward declaration: no struct nowhere definition is available
[D_TYPE_ERR] in action list: failed to resolve type nowhere_t: Unknown type name
[D_ARGS_MULTI] in action list: args[ ] may not be referenced because probe description pidN:a.out:ma*:entry matches an unstable set of probes
[D_ARGS_TYPE] in action list: failed to resolve types of args[ ] of pidN:typed:visit:entry: typed has no debug information (compile with -g, or install its debug package)
