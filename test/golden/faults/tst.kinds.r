n 5
before 1
ERROR 1 clause 0: 1 0x0
ERROR 1 clause 1: 1 0x8
ERROR 1 clause 2: 1 0x4f0
ERROR 1 clause 3: 1 0x0
ERROR 1 clause 4: 1 0xc
ERROR 1 clause 5: 4 0x0
ERROR 1 clause 6: 4 0x0
ERROR 1 clause 7: 4 0x0
ERROR 1 clause 8: 3 0x0
ERROR 1 clause 9: 3 0x0
ERROR 1 clause 10: 3 0x0
ERROR 1 clause 11: 3 0x0
ERROR 1 clause 12: 5 0x0
ERROR 1 clause 13: 1 0x0
ERROR 1 clause 14: 1 0x8
ERROR 1 clause 15: 1 0x10
ERROR 1 clause 16: 3 0x270f
ERROR 1 clause 17: 4 0x0
ERROR 1 clause 18: 1 0x18

-- @@stderr --
dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): invalid address (0x8)
dtrace: error in dt_clause_2 for probe ID 1 (dtrace:::BEGIN): invalid address (0x4f0)
dtrace: error in dt_clause_3 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_4 for probe ID 1 (dtrace:::BEGIN): invalid address (0xc)
dtrace: error in dt_clause_5 for probe ID 1 (dtrace:::BEGIN): divide-by-zero
dtrace: error in dt_clause_6 for probe ID 1 (dtrace:::BEGIN): divide-by-zero
dtrace: error in dt_clause_7 for probe ID 1 (dtrace:::BEGIN): divide-by-zero
dtrace: error in dt_clause_8 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_9 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_10 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_11 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_12 for probe ID 1 (dtrace:::BEGIN): out of scratch space (-x scratchsize=N gives more)
dtrace: error in dt_clause_13 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_14 for probe ID 1 (dtrace:::BEGIN): invalid address (0x8)
dtrace: error in dt_clause_15 for probe ID 1 (dtrace:::BEGIN): invalid address (0x10)
dtrace: error in dt_clause_16 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_17 for probe ID 1 (dtrace:::BEGIN): divide-by-zero
dtrace: error in dt_clause_18 for probe ID 1 (dtrace:::BEGIN): invalid address (0x18)
