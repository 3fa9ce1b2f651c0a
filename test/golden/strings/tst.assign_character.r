aBc B 3
[xyz!]
[xyz!.]
[x] 1
[xy]
1 upper
eleMent 4
7 1
key 2
keyzy 2
UPPER
[xy] 1

-- @@stderr --
dtrace: error in dt_clause_3 for probe ID 1 (dtrace:::BEGIN): index out of bounds (255)
dtrace: error in dt_clause_4 for probe ID 1 (dtrace:::BEGIN): index out of bounds
dtrace: error in dt_clause_5 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
