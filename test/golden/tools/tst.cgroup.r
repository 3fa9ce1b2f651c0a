GROUP: 2 opens, status 0
/GROUP/: 2 opens, status 0
GROUP/below: 1 opens, status 0
dtrace: cgroup GROUP/missing is not there yet: waiting for it
PID     COMM              FD ERROR        PATH

dtrace: unit GROUP is not there yet: waiting for it
PID     COMM              FD ERROR        PATH

opensnoop.d: option --container needs a value: --container=NAME
Try 'opensnoop.d --help'.
tcpstates.d: unknown option --container=web
Try 'tcpstates.d --help'.
