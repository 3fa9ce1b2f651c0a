
msg 8
sema 7
