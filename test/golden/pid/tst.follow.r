== followed
0 process-0 100
1 process-1 100
2 process-2 100
3 process-3 100
4 process-4 100
libm process-0 10
libm process-1 10
libm process-2 10
libm process-3 10
libm process-4 10
returns 500
== the default
0 process-0 100
libm process-0 10
returns 100
== children that become the program
returns 1000
0 200
1 200
2 200
3 200
4 200
libm 100
