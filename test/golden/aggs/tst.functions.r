count 4
sum 12
min -3
max 9
avg 3
stddev 4

