ok: each sleep
ok: for the lock, whose holder sleeps
ok: for the threads
ok: in the kernel
ok: up to the threads' first function
ok: no stack is cut
