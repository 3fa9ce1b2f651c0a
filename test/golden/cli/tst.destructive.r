$ dtrace -n BEGIN{system("echo never"); exit(0)}
! dtrace: description 'BEGIN' matched 1 probe
! dtrace: could not enable tracing: Destructive actions not allowed
status 1
$ dtrace -n BEGIN{freopen("never"); exit(0)}
! dtrace: description 'BEGIN' matched 1 probe
! dtrace: could not enable tracing: Destructive actions not allowed
status 1
$ dtrace -Zn nosuch{system("echo never")} -n BEGIN{exit(0)}
! dtrace: description 'nosuch' matched 0 probes
! dtrace: description 'BEGIN' matched 1 probe
! dtrace: could not enable tracing: Destructive actions not allowed
status 1
$ dtrace -xcpu=0 -wn BEGIN{system("echo done"); exit(0)}
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN done


! dtrace: description 'BEGIN' matched 1 probe
! dtrace: allowing destructive actions
status 0
$ dtrace -wqn BEGIN{system("echo done"); exit(0)}
done

status 0
$ dtrace -xdestructive -qn BEGIN{system("echo %s %d", "done", 2); exit(0)}
done 2

status 0
$ dtrace -qs pragma.d
done

status 0
$ dtrace -wqn BEGIN{exit(0)}

status 0
err
out
pragma.d
