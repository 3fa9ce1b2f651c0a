b 1
d 1

