1000000 1000000
nothing was lost
