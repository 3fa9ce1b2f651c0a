/* A global that two clauses use. */
BEGIN { n = 1; } syscall::read:entry { n += arg2; }
