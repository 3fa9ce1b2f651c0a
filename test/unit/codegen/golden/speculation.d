/* A record that waits for what becomes of it. */
syscall::read:entry { self->s = speculation(); } syscall::read:return /self->s/ { speculate(self->s); trace(arg0); } syscall::write:entry /self->s/ { commit(self->s); }
