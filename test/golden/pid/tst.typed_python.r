main interpreter: 1
negate 30
square 40
descriptor 3
