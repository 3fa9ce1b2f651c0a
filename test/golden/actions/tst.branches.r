b
c
end 3
[set] big
4 4
y 1
2
no fault
after exit

-- @@stderr --
dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
