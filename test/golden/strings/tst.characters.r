c h k n
t w A
r r 1
d r
0 0 0 0 0
627
fault 11 at 256

-- @@stderr --
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): index out of bounds (256)
