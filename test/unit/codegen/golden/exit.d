/* exit() stops all CPUs at once. */
syscall::read:entry { exit(arg0); }
