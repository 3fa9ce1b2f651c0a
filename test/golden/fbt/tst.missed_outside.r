
nothing was lost
