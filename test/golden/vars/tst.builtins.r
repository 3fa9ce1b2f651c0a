1 1 1 1
1 1 dtrace
/ vars global
dtrace:::BEGIN 1 0
0 0 0
1 1
1 1 1
1 1
1 1
1 1 1
1
1 1

