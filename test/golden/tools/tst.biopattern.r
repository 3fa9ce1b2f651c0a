ok: one block after the other
ok: in another order
ok: -d
