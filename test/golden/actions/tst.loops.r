sum 45, i 10
steps 5
cells 9
0 3
1 3
2 3
k 21
never 0
0,1,2,3,4
55
root
odd 1 even 2

