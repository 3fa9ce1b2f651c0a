BUSY  IDLE|GONE |4
7
4GONE 1
-1 1

  BUSY                                                      1                1
        7        2                1
dtrace: invalid probe specifier: in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %s
	 prototype: char [] or string (or use stringof)
	  argument: enum state
  2 | BEGIN { this->s = (enum state)4; printf("%s %5s|%-5s|%d\n", this->s, (enum state)0, (enum state)-1, this->s);
    |                                                             ^~~~~~~
  note: a string of the program is read by copyinstr(this->s), one of the kernel by stringof((char *)this->s)
dtrace: invalid probe specifier: in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %s
	 prototype: char [] or string (or use stringof)
	  argument: enum state
  3 | 	printf("%s\n", (enum state)7); trace(this->s);
    | 	               ^~~~~~~~~~~~~
  note: a string of the program is read by copyinstr((enum state)7), one of the kernel by stringof((char *)(enum state)7)
dtrace: invalid probe specifier: in action list: printa( ) key #1 is incompatible with conversion #1 prototype:
	conversion: %s
	 prototype: char [] or string (or use stringof)
	       key: enum state
  5 | 	printa("%s %@d\n", @f); printa("%d %@d\n", @f); exit(0); }
    | 	^~~~~~~~~~~~~~~~~~~~~~

        4                1
dtrace: invalid probe specifier: in action list: printa( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %@q
	 prototype: quantize( ), lquantize( ) or llquantize( ) (%@.99q)
	  argument: unsigned long
  1 | BEGIN { @ = count(); printa("%@.5q\n", @); }
    |                      ^~~~~~~~~~~~~~~~~~~~
dtrace: invalid probe specifier: in action list: printa( ) format conversion #1 is a quantile without its share: %@.5q is the median, %@.99q the 99th percentile
  1 | BEGIN { @ = quantize(1); printa("%@q\n", @); }
    |                                 ^~~~~~~
dtrace: invalid probe specifier: in action list: printa( ) format conversion #1 is a quantile without its share: %@.5q is the median, %@.99q the 99th percentile
  1 | BEGIN { @ = quantize(1); printa("%@.0q\n", @); }
    |                                 ^~~~~~~~~
dtrace: invalid probe specifier: in action list: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %q
	 prototype: quantize( ), lquantize( ) or llquantize( ) (%@.99q)
	  argument: int
  1 | BEGIN { printf("%.5q\n", 1); }
    |                          ^
dtrace: invalid probe specifier: in action list: printa( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %@q
	 prototype: quantize( ), lquantize( ) or llquantize( ) (%@.99q)
	  argument: long
  1 | BEGIN { @ = quantize(1); printa("%@.5q\n", @); }
    |                          ^~~~~~~~~~~~~~~~~~~~
