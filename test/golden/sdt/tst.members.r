address 0
exec_start 0
mm 0
parent 0
pid 0
pid, too 0
tgid 0

