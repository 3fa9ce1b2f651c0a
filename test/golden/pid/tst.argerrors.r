== refused
dtrace: failed to compile script shop.d: [D_ARGS_PLACE] line 4: the value of args[0] is not available in pidN:a.out:weigh:entry: it is in a floating-point or vector register, which the kernel does not show to probes
== left out
dtrace: warning: line 2: the clause of pidN:a.out:weigh:entry is left out: the value of args[0] is not available in pidN:a.out:weigh:entry: it is in a floating-point or vector register, which the kernel does not show to probes
dtrace: warning: line 3: the clause of pidN:a.out:close_shop:entry is left out: index 0 is out of range for pidN:a.out:close_shop:entry args[ ]
dtrace: warning: line 7: the clause of pidN:a.out:[rsw]e[iln]*:entry is left out for 1 of 3 probes: the value of args[0] is not available in pidN:a.out:[rsw]e[iln]*:entry: it is in a floating-point or vector register, which the kernel does not show to probes
dtrace: warning: line 9: the clause of :::END is left out: only clauses that are left out assign @weights
sell 7
sell 1
rename_item 0 1
sell 1 1
== nothing is left
dtrace: invalid probe specifier: in action list: the value of args[0] is not available in pidN:a.out:weigh:entry: it is in a floating-point or vector register, which the kernel does not show to probes
  1 | pid$target:a.out:weigh:entry { trace(args[0]); }
    |                                      ^~~~~~~
  note: all clauses would be left out
