set one 5
free [none] 0 0
4

