sdt:sched_process_exec 10
sdt:sched_process_fork 10
sdt:task_newtask 10
fork 10
own 10
raw task_newtask 10
children 10
WINCH 1
all tracepoints

