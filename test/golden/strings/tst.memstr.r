[cat -n] [cat.-n] [cat]
[] []
15 15 [dtrace]
fault 1 at 8

-- @@stderr --
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): invalid address (0x8)
