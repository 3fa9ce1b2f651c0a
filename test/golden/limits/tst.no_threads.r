0: right
1: right
2: right
3: right
4: right
8: right
