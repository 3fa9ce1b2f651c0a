a.out: readable
libc.so.6: readable
values: equal
