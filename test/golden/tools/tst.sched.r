ok: runqlat -P -s: at least 20 waits for a CPU
ok: runqlat: one distribution
ok: runqlat: of at least 20
ok: cpudist: at least 20 runs
ok: cpudist -P: of the thread
ok: runqlen: samples of all CPUs
ok: runqlen -C: a distribution each
ok: offcputime: 20 times 10 ms
ok: offcputime: stacks of the kernel and of the program
ok: offcputime -U -m 1: the longest, of the program only
