/* An element, set and deleted. */
syscall::read:entry { a[pid] = timestamp; } syscall::read:return { a[pid] = 0; }
