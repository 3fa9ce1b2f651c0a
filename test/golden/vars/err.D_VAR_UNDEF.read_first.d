/* ASSERTION: a thread-local variable that is read but never assigned is an error. */
BEGIN /self->never/ { exit(0); }
