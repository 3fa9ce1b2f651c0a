/* A key of two parts: found, or made. */
syscall::read:entry { @[pid, execname] = count(); }
