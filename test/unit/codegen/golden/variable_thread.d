/* Storage of a thread, made when it is first set. */
syscall::read:entry { self->t = timestamp; } syscall::read:return /self->t/ { trace(timestamp - self->t); self->t = 0; }
