1 3
2 3
22
== by caller
1 -3
2 120
3 121
7
2
dtrace: error in dt_clause_0 for probe ID N (pidN:prog:first.constprop.0.isra.0:entry): illegal operation
1 20
1 30
dtrace: error in dt_clause_0 for probe ID N (pidN:prog:first.constprop.0.isra.0:entry): illegal operation
98
		args[0]: userland struct pair * (p: by caller, 2 calls: rbx, rbp)
		args[1]: int (n: rsi)
		args[2]: long (tag: by caller, 2 calls: r12, the constant 7)
		args[3]: signed char (small: by caller, 3 calls: the constant 121, the constant 120, the constant -3)
