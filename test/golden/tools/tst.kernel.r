ok: capable: used
ok: capable: denied
ok: capable -x
ok: intrstat -s: timers
ok: intrstat -s: one row for each CPU and kind
ok: intrstat: sums and maxima
ok: lockstat: the mutex of a pipe
ok: lockstat -s: where
ok: oomkill: who is killed, and its memory
ok: iostat: reads and bytes
