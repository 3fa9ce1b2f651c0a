13 1000
9 1000
entry 1000
return 1000
sum 499500
the_same
