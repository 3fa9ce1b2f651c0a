dtrace: invalid probe specifier BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); printa(@, "name"); exit(0); }: [D_PRINTA_ORDER] in action list: printa( ) order is "value" or "key", with a number where there are several and - in front for the greatest first, not "name"
dtrace: invalid probe specifier BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); printa(@, "key"); exit(0); }: [D_PRINTA_ORDER] in action list: printa( ) order "key" needs 1 key, and there are 0
dtrace: invalid probe specifier BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); printa(@, "value0"); exit(0); }: [D_PRINTA_ORDER] in action list: printa( ) order is "value" or "key", with a number where there are several and - in front for the greatest first, not "value0"
dtrace: invalid probe specifier BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); printa(@k, "key2"); exit(0); }: [D_PRINTA_ORDER] in action list: printa( ) order "key2" needs 2 keys, and there is 1
dtrace: invalid probe specifier BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); printa(@, 1, "-value2"); exit(0); }: [D_PRINTA_ORDER] in action list: printa( ) order "-value2" needs 2 aggregations, and there is 1
dtrace: invalid probe specifier BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); printa(@, execname); exit(0); }: [D_PRINTA_AGGARG] in action list: printa( ) argument #2 must be an aggregation or the number of entries, not "string"
dtrace: invalid probe specifier BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); printa(@, 1, 2); exit(0); }: [D_PRINTA_PROTO] in action list: printa( ) takes a format, aggregations, the number of entries and their order, and nothing else
dtrace: invalid probe specifier BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); printa(@, 1, "value", @k); exit(0); }: [D_PRINTA_PROTO] in action list: printa( ) takes a format, aggregations, the number of entries and their order, and nothing else
dtrace: invalid probe specifier BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); printa("%@/d\n", @q); exit(0); }: [D_PRINTF_AGG_CONV] in action list: printa( ) conversion #1 (%@/d) is a rate, which only count( ) and sum( ) have, not quantize( )
dtrace: invalid probe specifier BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); printa("%@/d\n", @m); exit(0); }: [D_PRINTF_AGG_CONV] in action list: printa( ) conversion #1 (%@/d) is a rate, which only count( ) and sum( ) have, not max( )
dtrace: invalid probe specifier BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); printf("%/d\n", 1); exit(0); }: [D_SYNTAX] in action list: printf( ) format conversion #1 is a rate, which aggregations have: printa("%@/d", @a)

           value  ------------- Distribution ------------- count    
               0 |                                         0        
               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        
               2 |                                         0        


                1
        1                1
                1
dtrace: invalid probe specifier BEGIN { @ = count(); @k[1] = count(); @q = quantize(1); @m = max(1); printa("%@.1f\n", @q); exit(0); }: [D_PRINTF_ARG_TYPE] in action list: printa( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %@f
	 prototype: float, double or long double
	  argument: long
dtrace: invalid probe specifier BEGIN { @ = count(); printa(@, 1); exit(0); }: [D_SYNTAX] in action list: option strict is set: only this dtrace has a printa( ) with a number of entries or an order
dtrace: invalid probe specifier BEGIN { @ = count(); printa(@, "value"); exit(0); }: [D_SYNTAX] in action list: option strict is set: only this dtrace has a printa( ) with a number of entries or an order
dtrace: invalid probe specifier BEGIN { @ = count(); printa("%@/d\n", @); exit(0); }: [D_SYNTAX] in action list: option strict is set: only this dtrace has conversion #1 of printa( )
dtrace: invalid probe specifier BEGIN { @ = count(); printa("%@K\n", @); exit(0); }: [D_SYNTAX] in action list: option strict is set: only this dtrace has conversion #1 of printa( )
dtrace: invalid probe specifier BEGIN { @ = count(); printa("%@.1f\n", @); exit(0); }: [D_PRINTF_ARG_TYPE] in action list: printa( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %@f
	 prototype: float, double or long double
	  argument: unsigned long
dtrace: invalid probe specifier BEGIN { @ = count(); printf("%B\n", 1); exit(0); }: [D_SYNTAX] in action list: option strict is set: only this dtrace has conversion #1 of printf( )
dtrace: invalid probe specifier BEGIN { @ = count(); printf("%N\n", 1); exit(0); }: [D_SYNTAX] in action list: option strict is set: only this dtrace has conversion #1 of printf( )
