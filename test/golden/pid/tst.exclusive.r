
0 100
10 100
14 100
18 100
entry 100
return 100
sum 100
it lies between an exclusive load and its store, which would fail each time
