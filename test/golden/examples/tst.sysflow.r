ok: two writes
ok: each with its return
ok: the end of the process has no return
