a1
b2
c2

