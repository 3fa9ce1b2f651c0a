/*
 * ASSERTION: each kind of fault tells its code and, where there is one, its address; the ERROR probe's arguments name the
 * probe and the clause; what the clause did before stays done, its record does not.
 * SECTION: Stability, faults, drops, speculation, clause semantics/Faults and the ERROR probe
 */
#pragma D option quiet
struct far { char before[1264]; int x; };
BEGIN { n = 5; @before = count(); printf("never\n"); trace(*(int *)0); n = 6; }
BEGIN { trace(*(char *)8); }
BEGIN { trace(((struct far *)0)->x); }
BEGIN { trace(stringof(0)); }
BEGIN { x = (string)12; printf("%s", x); }
BEGIN { z = 0; trace(n / z); }
BEGIN { trace(n % z); }
BEGIN { n /= z; }
BEGIN { trace(inet_ntop(99, alloca(16))); }
BEGIN { trace(link_ntop(7, alloca(16))); }
BEGIN { trace(lltostr(1, 37)); }
BEGIN { trace(strtoll("1", 1)); }
BEGIN { big = 300; y = alloca(big); }
BEGIN { trace(copyinstr(0)); }
BEGIN { y = copyin(8, 8); }
BEGIN { this->p = alloca(8); copyinto(16, 8, this->p); }
BEGIN { i = 9999; trace(uregs[i]); }
BEGIN / n / z / { trace(1); }
BEGIN { if (n == 5) { printf("never\n"); trace(*(int *)24); } printf("never\n"); }
BEGIN { printf("n %d\n", n); printa("before %@d\n", @before); exit(0); }
ERROR { printf("%s %d clause %d: %d 0x%x\n", probename, arg1, arg2, arg4, arg5); }
