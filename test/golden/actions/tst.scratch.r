[abcdefgh] []
[abcdefgh]
fault 1
fault 1
fault 1
fault 1
fault 1
fault 1
scratchsize can be used up
fault 5
fault 5
fault 5
fault 1
fault 1
no room 1 1

-- @@stderr --
dtrace: error in dt_clause_2 for probe ID 1 (dtrace:::BEGIN): invalid address (ADDRESS)
dtrace: error in dt_clause_3 for probe ID 1 (dtrace:::BEGIN): invalid address (ADDRESS)
dtrace: error in dt_clause_4 for probe ID 1 (dtrace:::BEGIN): invalid address (ADDRESS)
dtrace: error in dt_clause_5 for probe ID 1 (dtrace:::BEGIN): invalid address (ADDRESS)
dtrace: error in dt_clause_6 for probe ID 1 (dtrace:::BEGIN): invalid address (ADDRESS)
dtrace: error in dt_clause_7 for probe ID 1 (dtrace:::BEGIN): invalid address (ADDRESS)
dtrace: error in dt_clause_9 for probe ID 1 (dtrace:::BEGIN): out of scratch space (-x scratchsize=N gives more)
dtrace: error in dt_clause_10 for probe ID 1 (dtrace:::BEGIN): out of scratch space (-x scratchsize=N gives more)
dtrace: error in dt_clause_11 for probe ID 1 (dtrace:::BEGIN): out of scratch space (-x scratchsize=N gives more)
dtrace: error in dt_clause_12 for probe ID 1 (dtrace:::BEGIN): invalid address (ADDRESS)
dtrace: error in dt_clause_13 for probe ID 1 (dtrace:::BEGIN): invalid address (ADDRESS)
