200000 200000
nothing was lost
