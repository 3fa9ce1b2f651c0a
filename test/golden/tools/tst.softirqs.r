ok: 500 of NET_RX, and of no kind more than there were
ok: all CPUs together
ok: -C: the same
ok: -C: CPUs that are there
ok: -d: a distribution of timers
