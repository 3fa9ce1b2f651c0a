7 3 5 1
5 7 4 1
cd ab
6 2
42 86 1
86 1
e h o llo 0
dt race
8 1

