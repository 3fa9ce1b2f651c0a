torn 0
sum 300000
messages agree with the ledger
