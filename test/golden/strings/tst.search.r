3 3 6 -1 0
2 6 6 0 -1
0 -1 0 -1
6 3 -1 -1 6
0 3 6 0 -1
llo|lo|hello|o|1|1
[][]1
llo|hello|[]|1|1
[lo][he][hello][ll][hel][el][]
[][][][o][][][ll][ll]
lo l 3 2

