/* Strings are compared to their ends. */
syscall::read:entry /execname == "cat"/ { trace(execname); }
