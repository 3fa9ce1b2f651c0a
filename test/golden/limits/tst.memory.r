== ulimit
status 0
all accounted for
== bufsize
status 0
1
a share 1
