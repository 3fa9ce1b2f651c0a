ok: there were calls
ok: each returned
ok: within one another
