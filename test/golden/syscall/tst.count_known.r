entries 1000
offsets 499500
returns 1000
values -1000

