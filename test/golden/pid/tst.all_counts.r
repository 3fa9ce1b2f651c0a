processes that are missing: 0
dtgetent 1
dtlong 5000
dtpython 3
dtshort: each one
named libc.so.6 getaddrinfo entry
