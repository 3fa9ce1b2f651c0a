python3.11: readable
libc.so.6: readable
values: equal
