/* ASSERTION: --record refuses an expression that reads what a D variable points to: only a run of the program can tell it.
 * @@runtest-opts: --record computed.rec */
syscall::read:entry { this->path = arg1; trace(copyinstr(this->path)); }
