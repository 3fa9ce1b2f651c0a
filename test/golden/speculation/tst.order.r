1 2 3
before
b1 5 BEGIN
b2
between
a1
x 5

-- @@stderr --
dtrace: error in dt_clause_17 for probe ID 1 (dtrace:::BEGIN): illegal operation
dtrace: error in dt_clause_18 for probe ID 1 (dtrace:::BEGIN): illegal operation
