a 11 100 slow 2 6
1 1 1 1
a 12 200 slow 3 7
1 1 1 1
a 13 300 slow 4 8
1 1 1 1
a 10 0 slow 1 5
1 1 1 1
gcc -no-pie -O2: the same
clang-19 -fPIE -pie -O1: the same
== not used yet
faults 4
== static program
32
