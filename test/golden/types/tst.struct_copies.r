3 -4 hi text 0
4 10 ho 3
0 [] 0
0 9
4 5 

