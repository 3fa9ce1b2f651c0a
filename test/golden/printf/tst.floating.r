1.50 3.50 3.500 3.000000
123.457 -15.0 1.000000e+03 2.25
5.50 -0.25 7 2.0
    2.33|2.3     |+2
inf -1.000000
1.50 1
0.500 1
2.0
-5.0
-2.50 -2
0.50

dtrace: invalid probe specifier BEGIN { x = 1; x = 2.5; exit(0); }: [D_SYNTAX] in action list: floating-point constants are not permitted
dtrace: invalid probe specifier BEGIN { x = 1; trace(1.5); exit(0); }: [D_SYNTAX] in action list: floating-point constants are not permitted
dtrace: invalid probe specifier BEGIN { x = 1; printf("%d", 1.5); exit(0); }: [D_SYNTAX] in action list: floating-point constants are not permitted
dtrace: invalid probe specifier BEGIN { x = 1; printf("%f", "a" + 1.5); exit(0); }: [D_OP_ARITH] in action list: floating-point arithmetic requires numbers, not "string"
dtrace: invalid probe specifier BEGIN { x = 1; printf("%f", execname); exit(0); }: [D_PRINTF_ARG_TYPE] in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %f
	 prototype: float, double or long double
	  argument: string
dtrace: invalid probe specifier BEGIN { x = 1; printf("%f", 1.5 % 2); exit(0); }: [D_SYNTAX] in action list: floating-point constants are not permitted
dtrace: invalid probe specifier BEGIN { x = 1; printf("%f", x > 1.5); exit(0); }: [D_SYNTAX] in action list: floating-point constants are not permitted
dtrace: invalid probe specifier BEGIN { x = 1; @ = sum(1.5); exit(0); }: [D_SYNTAX] in action list: floating-point constants are not permitted
dtrace: invalid probe specifier BEGIN { x = 1; printf("%s", 1.5); exit(0); }: [D_SYNTAX] in action list: floating-point constants are not permitted
dtrace: invalid probe specifier BEGIN { printf("%f", 1.5); }: [D_SYNTAX] in action list: floating-point constants are not permitted
dtrace: invalid probe specifier BEGIN { printf("%f", 1); }: [D_PRINTF_ARG_TYPE] in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %f
	 prototype: float, double or long double
	  argument: int
"values":[7,12.345,3,7,3.5]
x,y / 1e3,3,x,(double)x / 2
7,12.345,3,7,3.5
