status 0
0 wrong
