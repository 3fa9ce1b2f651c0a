== sys/types.h
== sys/socket.h
== netinet/in.h
== sys/stat.h
== stdint.h
== errno.h
== signal.h
== stdio.h
== stdlib.h
== unistd.h
== string.h
== fcntl.h
== pthread.h
== time.h
== linux/types.h
== linux/tcp.h
== linux/fs.h
== macros and types
42 15 2 from a header 16
1 6
here

