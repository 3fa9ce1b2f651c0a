ok: the signal is last
ok: the call that sent it comes before
ok: with its return
