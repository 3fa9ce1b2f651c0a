[] [] 1 0 0
1 1 1
0 1 1 1 1
0 1 1
clause 5: fault 1 at 0
set 1
1
1
clause 8: fault 1 at 0
clause 9: fault 1 at 0
clause 10: fault 1 at 0
clause 11: fault 1 at 0

-- @@stderr --
dtrace: error in dt_clause_5 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_8 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_9 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_10 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_11 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
