ok: memleak: 50 times 1000 bytes, and none of what is freed
ok: plockstat: the function that waits, most of 20 ms
memleak.d: one of -p and -c has to be given
Try 'memleak.d --help'.
status 2
plockstat.d: unknown option -n
Try 'plockstat.d --help'.
status 2
