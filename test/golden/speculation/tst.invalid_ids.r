0 1 1
1: 5 faults, 5 illegal operations
committed in BEGIN
0 1 5

-- @@stderr --
dtrace: error in dt_clause_4 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_5 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_6 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_7 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_8 for probe ID 1 (dtrace:::BEGIN): illegal operation
