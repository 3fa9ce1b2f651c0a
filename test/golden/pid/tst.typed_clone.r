1 3
2 3
dtrace: invalid probe specifier: in action list: the value of args[0] is not available in pidN:prog:first.constprop.0.isra.0:entry: the compiler removed this parameter; only the callers know its value
