/* ASSERTION: memstr() reads memory: its first argument is a pointer. */
BEGIN { trace(memstr(pid, 32, 4)); }
