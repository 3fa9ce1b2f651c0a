committed
committed in a branch
3 faults
still open

-- @@stderr --
dtrace: error in dt_clause_4 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_5 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_6 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
