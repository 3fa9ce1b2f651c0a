/* A record: head, values, then it is given to the ring. */
syscall::read:entry { printf("%d %d", arg0, tid); }
