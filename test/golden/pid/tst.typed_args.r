visit 17 1 2 0 alice first
  bits 1 2 3 union 34333231 2 point 9 -10 grid 10 12
  next 42 bob
  cast 42 17 56
  returns 121 17 1
visit 42 200 1 1 bob second
  bits 5 100 -3 union 64636261 b point -7 8 grid 4 6
narrow -5 65535 1 200 -1234567890123
many 1 -2 3 -4 5 -6 7 -8 -9
by_value 111 -22 10 50 33
floats 1 4
mixing 5
pair 1000 1001
large 2000 2004
minus -3
second 42 bob
nothing 1 3 4

gcc -O2: the same
gcc -O2 -gdwarf-4: the same
gcc -Og -gz: the same
clang-19 -O0: the same
clang-19 -O2: the same
