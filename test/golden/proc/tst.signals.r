lives sends 15 to itself 1
15 is handled, sender 0, handler 0
lives sends 11 to itself 1
fault 6 of signal 11 at 16
11 is handled, sender 0, handler 0
lives sends 4 to itself 1
fault 1 of signal 4 at 0
4 is handled, sender 0, handler 0
lives sends 10 to itself 1
10 is handled, sender 1, handler 1
28 is ignored by lives
lives sends 12 to itself 1
12 was waited for
children 6, told to their parents 6

status 0
