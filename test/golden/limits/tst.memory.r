== ulimit
status 0
all accounted for
1
== bufsize
status 0
1
a share 1
