ok: messages agree with the ledger
ok: each call is seen or missed
ok: messages agree with the ledger
ok: each call is seen or missed
