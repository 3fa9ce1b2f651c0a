breakpoints are there
left by one that ends: 0
left by one that is killed: 0
the program runs on
