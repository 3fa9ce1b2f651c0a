== by size
live 80000 3199960000
replayed 80000 3199960000
== by time
live 100000 4999950000
replayed 100000 4999950000
== as many as are kept
file
file.1
file.2
== SIGHUP
live 60000 699970000
replayed 60000 699970000
== where it does not work
live 80000 3199960000
dtrace: 'file' is not rotated, and goes on: failed to rename 'file' to 'file.1': Is a directory
80000
file
file.1
$ dtrace --record file -x rotatesize=1k -x rotatekeep=10000 -qn BEGIN { exit(0); }
! dtrace: rotatekeep: at most 9999 old files are kept
status 1
