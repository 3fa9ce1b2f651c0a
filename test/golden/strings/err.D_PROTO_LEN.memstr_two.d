/* ASSERTION: memstr() takes three arguments. */
BEGIN { trace(memstr(curthread->comm, 32)); }
