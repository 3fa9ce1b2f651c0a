16 16 -1 999999999 -2 999999
1 2 4 8 8 8 4
255 65535 4294967295 1 -1 1 4294967295
0 1 2 3 4 5
6 7 8 9 10 11
division by zero

-- @@stderr --
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): divide-by-zero
