ok: the slow call
ok: no faster one
