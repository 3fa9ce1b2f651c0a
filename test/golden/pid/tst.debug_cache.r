== off
41 5
0
== on
41 5
1
600 root
41 5
the same file
== damaged
41 5
replaced
41 5
replaced
== of others
41 5
600
== changed
41 5
2
== at once
41 5
41 5
41 5
41 5
1
0
== at most 64 files
41 5
64
the oldest is removed
the new one is kept
