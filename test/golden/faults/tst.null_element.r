clause 1: 1 0x1
clause 2: 1 0x0
clause 3: 1 0x3
clause 4: 1 0x4
bd

-- @@stderr --
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): invalid address (0x1)
dtrace: error in dt_clause_2 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
dtrace: error in dt_clause_3 for probe ID 1 (dtrace:::BEGIN): invalid address (0x3)
dtrace: error in dt_clause_4 for probe ID 1 (dtrace:::BEGIN): invalid address (0x4)
