== mutex
sysinfo 1 0 0, lock 1
adaptive-block -1 held long not longer
== rw
sysinfo 0 0 1, lock 1
rw-block 0 held long not longer
