progress
cleared
0
