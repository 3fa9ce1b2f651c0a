1 dtrace
1 dtrace
21 10 8
dtrace 1

