min -10 max 12 avg 2 stddev 9 sum 6

