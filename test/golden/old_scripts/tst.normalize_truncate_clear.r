c 0
a 1
b 20
d 45
a 1000
b 20000
d 45678
a 1000
b 20000
a 0
b 0
none

