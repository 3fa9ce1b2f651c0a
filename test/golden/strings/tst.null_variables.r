1 0 [0]
fault 1
fault 1
fault 1
0 def e
1 0
fault 1
0 ghi
1 1
set 1
1
ac [0]
1
fault 11
fault 11
0
0

-- @@stderr --
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_2 for probe ID 1 (dtrace:::BEGIN): invalid address (0x1)
dtrace: error in dt_clause_3 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_7 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_12 for probe ID 1 (dtrace:::BEGIN): index out of bounds (256)
dtrace: error in dt_clause_13 for probe ID 1 (dtrace:::BEGIN): index out of bounds
