400 rows 0 out of turn 0 out of time 2 CPUs
