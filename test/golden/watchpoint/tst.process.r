== write
main, in the program: 5
thread, in the program: 3
== functions
watched`main 5
watched`run 3
== access
10
== execute
1 4
== bytes
write-1 1
write 2
== part
dtrace: watchpointPID:watched:large:write is set, but watches 8 of its 12 bytes, at ADDRESS
1
