entries 20000
returns 20000
nothing was lost
