seen or missed 2000
ok: messages agree with the ledger
ok: as many as its mechanism misses
