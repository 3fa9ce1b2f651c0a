ok: the function that wants the lock
ok: by the mutex
ok: and that waits for threads
ok: as long as the lock is held
ok: no stack is cut
