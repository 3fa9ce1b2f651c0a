== inside
BEGIN: pid is $pid, small: 1
opens: 1, tid 1, ppid 1, progenyof 1 1 0
pid is $target: 1
spin`spin_here
spin`main
== a target in a namespace of its own
pid is $target: 1
spin`spin_here
== /proc of another namespace
dtrace: /proc belongs to another PID namespace than dtrace. Run "mount -t proc proc /proc" in this one, or start it with "unshare --mount-proc"
