ok: ten waits
ok: of 20 ms
ok: the sum is count times average
