ok: memleak: 50 times 1000 bytes, and none of what is freed
ok: plockstat: the function that waits, most of 20 ms
ok: plockstat -H: 40 times held for 1 ms and more
ok: plockstat -s: stacks of the functions that wait
ok: plockstat -s: two frames, and a distribution
ok: plockstat -E: locks that were not got
ok: plockstat -n 1: one row, with its average
memleak.d: one of -p and -c has to be given
Try 'memleak.d --help'.
status 2
plockstat.d: unknown option -q
Try 'plockstat.d --help'.
status 2
