/* What does not hold costs no record. */
syscall::read:entry /pid == 7 && arg2 > 512/ { trace(arg2); }
