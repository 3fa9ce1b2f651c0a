ok: the client's segments and estimates
ok: -B
ok: -l, -b: the server's
ok: nothing of other ports
ok: a distribution
