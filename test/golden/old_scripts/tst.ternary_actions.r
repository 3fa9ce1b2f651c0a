verbose
middle
6
big 1

