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
gcc -gsplit-dwarf: the same
gcc -gsplit-dwarf -gdwarf-4: the same
clang-19 -gsplit-dwarf: the same
== not used yet
faults 4
== static program
32
== all processes
dynamic 32 2
static 32 1
failed to resolve libloaded`depth: variable depth is thread-local: a library's variables have another address in each process
