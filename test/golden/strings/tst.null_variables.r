1 0 [0]
fault 1
fault 1
fault 1
0 def e
1 0
fault 1
0 ghi
1 1
set 1
1
ac [0]
1
fault 11
fault 11
0
0
