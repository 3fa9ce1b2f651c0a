/*
 * ASSERTION: a clause of speculate() alone records the default action into the speculation; one that does anything else
 *   records what it records.
 * SECTION: Speculative Tracing
 */
BEGIN { self->id = speculation(); }
BEGIN { speculate(self->id); }
BEGIN { speculate(self->id); x = 1; }
BEGIN /x/ { speculate(self->id); trace("shown"); }
BEGIN { speculate(0); }
BEGIN { printf("before the commit"); }
BEGIN { commit(self->id); }
BEGIN { self->id = speculation(); }
BEGIN { speculate(self->id); }
BEGIN { discard(self->id); }
BEGIN { exit(0); }
