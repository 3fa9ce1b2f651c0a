before: 0
raised
midst
number of transactions actually processed: 4000/4000
number of failed transactions: 0
after: 0
