ok: the program
ok: what it asks of the kernel
ok: and who asks
ok: samples are counted
