1 2 3
before
b1 5 BEGIN
b2
between
a1
x 5

