two 2
three 3
n 10
n 100
three 0
two 0

