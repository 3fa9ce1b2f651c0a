0 1 1
1: 4 faults, 4 illegal operations
committed in BEGIN
0 1 4

-- @@stderr --
dtrace: error in dt_clause_7 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_8 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_9 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_10 for probe ID 1 (dtrace:::BEGIN): illegal operation
