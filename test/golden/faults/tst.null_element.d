/*
 * ASSERTION: a character of a string variable that is NULL faults with the character's address: its index, as for a pointer.
 * SECTION: Stability, faults, drops, speculation, clause semantics/Faults and the ERROR probe
 */
#pragma D option quiet
string none;
int n;
BEGIN { n = 3; none = (string)NULL; }
BEGIN { trace(none[1]); }
BEGIN { trace(none[0]); }
BEGIN { trace(none[n]); }
BEGIN { this->none = (string)NULL; trace(this->none[n + 1]); }
BEGIN { none = "abcd"; printf("%c%c\n", none[1], none[n]); exit(0); }
ERROR { printf("clause %d: %d 0x%x\n", arg2, arg4, arg5); }
