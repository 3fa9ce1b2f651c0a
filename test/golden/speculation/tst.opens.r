20
/no/such/0
/no/such/190
