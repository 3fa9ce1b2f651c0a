ok: sent
ok: received
ok: sizes
