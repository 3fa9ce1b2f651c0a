sum 200000
some were lost
messages agree with the ledger
