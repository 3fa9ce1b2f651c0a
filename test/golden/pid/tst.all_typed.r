typed 3 -2 one 7
3 returned -6
typed 7 5 two -1
7 returned 29
typed 3 -2 one 7
3 returned -6
typed 7 5 two -1
7 returned 29
2 calls
2 calls
dtrace: invalid probe specifier: in action list: failed to resolve typed`total: variable total has an address of its own in each process, and the probe is in all
		args[0]: userland struct item * (item: rdi)
		args[1]: short (weight: rsi)
		args[2]: userland const char * (label: rdx)
