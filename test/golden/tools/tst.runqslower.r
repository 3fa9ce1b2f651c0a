ok: five waits of 20 ms
ok: for the first thread
ok: of the chosen thread
ok: -m
