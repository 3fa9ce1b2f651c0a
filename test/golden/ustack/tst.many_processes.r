status 0
one row, and one of the process that runs
all named alike
losses []
