child inline -2 60000 first raw -2 60000 3
child inline -1 60001 first raw -1 60001 3
child inline 0 60002 first raw 0 60002 3
child inline -7 3 last raw -7 3 7
last 9 9
gcc -O1: the same
gcc -O3: the same
gcc -O3 -gdwarf-4: the same
== caller
  args`parent                                         args`parent                                                       4
args`parent
args`main
== lists
args child inline
args by_value inline
args unused inline
	Argument Types
		args[0]: signed char (small: REG, the constant -7)
		args[1]: unsigned short (part: the address REG-5534, the constant 3)
		args[2]: userland struct item * (item: REG, at REG+8)

	Local Variables
		c: int (REG)
		i: int (the address REG+2)
		n: int (REG)
		item: userland struct item * (REG, at REG+8)
		sum: long (REG)
		pair: struct pair (it was optimised out at this instruction)
		doubled: int (the constant -14)
		part: unsigned short (the constant 3)
		small: signed char (the constant -7)

== all processes
-7 3
-2 3
-1 3
0 3
== children
child 8
== later
2
== C++
0 5
5 15
20 25
int shop::Cart::scaled<int>(int) 1
long shop::Cart::scaled<long>(long) 1
== errors
[D_ARGS_PLACE] in action list: the value of args[1] is not available in pidN:args:unused:inline: it was optimised out at this instruction
[D_ARGS_PLACE] in action list: the value of arg1 is not available in pidN:args:unused:inline: it was optimised out at this instruction
[D_ARGS_PLACE] in action list: the value of arg2 is not available in pidN:args:unused:inline: the function has 2 parameters
[D_ARGS_IDX] in action list: index 2 is out of range for pidN:args:unused:inline args[ ]
[D_ARGS_PLACE] in action list: the value of arg0 is not available in pidN:args:by_value:inline: the call has not stored it yet at its beginning
[D_ARGS_PLACE] in action list: the value of args[0] is not available in pidN:args:by_value:inline: the call has not stored it yet at its beginning
[D_LOCALS_NAME] in action list: failed to resolve locals->nothing of pidN:args:child:inline: no variable nothing is in scope; in scope are n, item, sum, pair, i, c
[D_PROC_INLINE] no call of parent is inlined in args; calls that are not inlined are at probe entry
[D_PROC_INLINE] no call of nothing is inlined in args
[D_PROC_INLINE] args has no debug information (compile with -g, or install its debug package)
