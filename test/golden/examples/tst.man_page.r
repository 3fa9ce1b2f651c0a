dtrace.8: all commands run
