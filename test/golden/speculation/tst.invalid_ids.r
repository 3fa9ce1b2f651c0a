0 1 1
1: 5 faults, 5 illegal operations
committed in BEGIN
0 1 5
