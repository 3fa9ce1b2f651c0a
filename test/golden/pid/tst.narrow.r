libworth.so returns the product
arguments 45170
values 4670
12 10

