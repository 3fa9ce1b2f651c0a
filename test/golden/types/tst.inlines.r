12 str 1 48 10
12 4
idle busy ?
a dtrace 17
11 6

