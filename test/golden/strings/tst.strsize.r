abcdefg 7 8 8 4
abcdefg 7
1 7
0123456 0123456 1
LOWERCA 56 1234567
one lon 2
traced,

