one 3
two 2
