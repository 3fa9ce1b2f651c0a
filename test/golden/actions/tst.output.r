$ dtrace -wqn BEGIN{printf("a\n"); freopen("moved%d", 2); printf("b\n"); system("echo shell"); printf("c\n"); freopen(""); printf("d\n"); exit(0)}
a
d

status 0
b
shell
c
$ dtrace -wqn BEGIN{freopen("moved2"); printf("e\n"); freopen("other"); printf("f\n"); exit(0)}
status 0
b
shell
c
e
f

$ dtrace -wqn BEGIN{freopen("/nonexistent/x"); printf("still here\n"); exit(0)}
still here

! dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): failed to open '/nonexistent/x': No such file or directory
status 0
$ dtrace -wq -o file -n BEGIN{printf("a\n"); ftruncate(); printf("b\n"); exit(0)}
status 0
b

$ dtrace -wqn BEGIN{printf("1\n"); system("echo 2"); printf("3\n"); system("echo 4 %s %d", "x", 5); exit(0)}
1
2
3
4 x 5

status 0
$ dtrace -wqn BEGIN{system("exit 3"); exit(0)}

status 0
