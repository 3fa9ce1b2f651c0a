libc.so.1 /usr/lib/amd64 24
usr lib
lib|so.1|libc.so.1.bak
5 15 -1
amd64/libc.so.1 /libc.so.1
amd64/libc.so.1 -12345
31 0xff
SUNOS sunos /a/c
pid 42/tid
111

