ok: a status of 0
ok: a status of 7
ok: a signal
ok: another signal
ok: a process that another thread ends
ok: one line for a process of two threads
ok: ages
ok: -x
ok: -T: both threads, the process's last
ok: -T: the status of the process for all its threads
ok: -n
ok: a core
