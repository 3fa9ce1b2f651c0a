some 1, bad 0, results 1, numbers 0, counted 1

