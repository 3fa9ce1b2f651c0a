entries 50
returns 50
0 50
nothing was lost
