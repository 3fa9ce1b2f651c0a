fault 1 1328
fault 1 8
fault 1 far
fault 1 16
fault 1 far
fault 1 far
1

-- @@stderr --
dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x530)
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): invalid address (0x8)
dtrace: error in dt_clause_2 for probe ID 1 (dtrace:::BEGIN): invalid address (ADDRESS)
dtrace: error in dt_clause_3 for probe ID 1 (dtrace:::BEGIN): invalid address (0x10)
dtrace: error in dt_clause_4 for probe ID 1 (dtrace:::BEGIN): invalid address (ADDRESS)
dtrace: error in dt_clause_6 for probe ID 1 (dtrace:::BEGIN): invalid address (ADDRESS)
