11 12 13 1
10 21 22 23
5 6 4
0 ad 0
invalid address in clause 1
23 100

