1 -3 ffffff 123456789a ffffff x 24
2 15 f f23456789a f0 x
7 -16 abcdef 0

