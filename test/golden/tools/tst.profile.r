ok: profile: the stack with most samples is that of the loop
ok: hotuser: the function
ok: hotuser -M: the program
ok: hotkernel: functions of the kernel, with samples
ok: hotkernel -M: the kernel
ok: profile -K: a stack of the kernel, that of a read
