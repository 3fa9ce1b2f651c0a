5 mine 1 7 3 1 2

0 [] 0 42 9

none 1 2 KILL 2

8

1 2 1

0
2

dtrace: invalid probe specifier BEGIN { pid = 1; }: [D_OP_WRITE] in action list: operator = can only be applied to a writable variable
dtrace: invalid probe specifier BEGIN { elapsed = "a"; printf("%d\n", elapsed); }: [D_PRINTF_ARG_TYPE] in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %d
	 prototype: any integer
	  argument: string
