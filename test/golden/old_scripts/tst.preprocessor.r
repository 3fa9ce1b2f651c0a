2000 7 0
4 4
level not above 1
4

2000 7 2
4 4
level above 1
6

