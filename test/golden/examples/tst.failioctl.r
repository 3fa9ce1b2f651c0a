ok: the failing call
ok: its error
ok: not the one that succeeds
