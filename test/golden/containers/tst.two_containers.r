nothing was lost
