dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): invalid address (ADDRESS)
11 12 13 1
10 21 22 23
5 6 4
0 ad 0
invalid address in clause 1
100

