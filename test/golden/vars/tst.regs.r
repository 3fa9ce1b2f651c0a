1 1 1 10
return 1 10

1

fault 3

fault 3

