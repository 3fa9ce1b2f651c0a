a
b
after

