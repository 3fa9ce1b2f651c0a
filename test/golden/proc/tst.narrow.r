signal-clear 10
narrow executes /no/such/program
exec-failure 2
narrow executes ./wide
exec-success wide, 0 of 4 bytes
execve returns to wide: 0
wide executes ./last
exec-success last, 1 of 4 bytes
execve returns to last: 0
create 1 start 1, lwp-create 2 lwp-start 2 lwp-exit 3
