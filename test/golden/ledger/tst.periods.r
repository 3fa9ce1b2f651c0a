made = got + lost
messages agree with the ledger
several periods
