1 1
nothing was lost
