ok: all tools have help, a manual page and two examples
ok: help starts one process
dtrace-tool: there is no tool nosuch.d in FOLDER
dtrace-tool: "../dtrace-tool" is not the name of a tool
opensnoop.d: unknown option --hepl
Try 'opensnoop.d --help'.
opensnoop.d: option -p needs a value
Try 'opensnoop.d --help'.
opensnoop.d: option -p needs a number, not "07"
Try 'opensnoop.d --help'.
opensnoop.d: option -t needs a number, not "1s"
Try 'opensnoop.d --help'.
opensnoop.d: option -n needs a value
Try 'opensnoop.d --help'.
opensnoop.d: unknown option -i
Try 'opensnoop.d --help'.
opensnoop.d: -p and -c exclude each other
Try 'opensnoop.d --help'.
opensnoop.d: unexpected "ls": a command is given by -c
Try 'opensnoop.d --help'.
syscount.d: option -m needs a number, not "1; }"
Try 'syscount.d --help'.
vmstat.d: unexpected "1": an interval is given by -i, a duration by -t
Try 'vmstat.d --help'.
profile.d: option -F needs a number above 0
Try 'profile.d --help'.
killsnoop.d: option -s needs a signal, not "SIGFOO"
Try 'killsnoop.d --help'.
iosnoop.d: there is no disk or partition "nosuchdisk": /sys/class/block lists them
Try 'iosnoop.d --help'.
dtruss.d: there is no system call "nosuchcall": dtrace -ln 'syscall:::entry' lists them
Try 'dtruss.d --help'.
dtruss.d: "ge*" is not the name of a system call
Try 'dtruss.d --help'.
tcpconnect.d: option -P needs a port, at most 65535, not 65536
Try 'tcpconnect.d --help'.
funccount.d: one PROBE only; a pattern takes several
Try 'funccount.d --help'.
dtrace: failed to grab pid 999999999: No such process
ok: an operand before an option
ok: a signal by its name
ok: a tool's name without .d
ok: --help lists all
ok: the environment gives no options
ok: --version
Ctrl-C: status 0
CALL                      COUNT
a reader that leaves: status 141
ok: lines of JSON
