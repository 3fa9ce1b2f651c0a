/*
 * ASSERTION: a row has the processor, the probe, then each value in the column of its type; bytes that are text print as
 * text, others as a dump; printf() adds nothing; clauses that record nothing print no row.
 * SECTION: Output formats/Record rows, trace() layout
 */
struct pt { int x; char n[4]; } v;
BEGIN { trace(1); trace((char)65); trace((short)-2); trace(-3LL); trace("abc"); }
BEGIN { trace((unsigned)-1); trace((unsigned char)200); trace((unsigned short)-1); trace((uint64_t)-1); trace((void *)16); }
BEGIN { v.x = 3; v.n[0] = 'h'; trace(v); trace(v.n); v.n[0] = 0; v.n[1] = 1; trace(v.n); }
BEGIN { this->p = (char *)alloca(20); this->p[8] = 'H'; this->p[9] = 'i'; tracemem(this->p, 20); }
BEGIN { n = 10; tracemem(this->p = (char *)alloca(20), 20, n); tracemem(this->p, 20, 0); tracemem(this->p, 3, 30); tracemem(this->p, 3, -1); }
BEGIN { x = 5; @a[1] = sum(2); }
BEGIN { y = 1; }
BEGIN { }
BEGIN { printf("one "); printf("row"); trace("z"); }
BEGIN { if (x == 5) trace("then"); else trace("else"); trace(x); }
BEGIN { @b[7] = count(); printa(@b); printa("%d:%@d", @b); }
BEGIN { exit(0); }
