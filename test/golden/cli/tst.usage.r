$ dtrace 
Usage: dtrace

status 2
$ dtrace -y
dtrace: invalid option -- 'y'
Usage: dtrace

status 2
$ dtrace -N x
dtrace: invalid option -- 'N'
Usage: dtrace

status 2
$ dtrace -33
dtrace: illegal option -- 33
Usage: dtrace

status 2
$ dtrace -65 -V
dtrace: illegal option -- 65
Usage: dtrace

status 2
$ dtrace -n
dtrace: option requires an argument -- 'n'
Usage: dtrace

status 2
$ dtrace -l -V
dtrace: only one of the [-AGhlV] options can be specified at a time
status 2
$ dtrace -lh
dtrace: only one of the [-AGhlV] options can be specified at a time
status 2
$ dtrace -AG
dtrace: only one of the [-AGhlV] options can be specified at a time
status 2
$ dtrace -Bl
dtrace: -B works while tracing only, and not with -o
status 2
$ dtrace -B -o file -n BEGIN
dtrace: -B works while tracing only, and not with -o
status 2
err
out
