9 5
fault 11 at 4
fault 11 at -1
fault 11 at 3
9

-- @@stderr --
dtrace: error in dt_clause_2 for probe ID 1 (dtrace:::BEGIN): index out of bounds (4)
dtrace: error in dt_clause_3 for probe ID 1 (dtrace:::BEGIN): index out of bounds
dtrace: error in dt_clause_4 for probe ID 1 (dtrace:::BEGIN): index out of bounds (3)
