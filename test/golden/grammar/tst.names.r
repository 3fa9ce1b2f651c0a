3 1 5 node
1 two 3 4
2
777 4
3

