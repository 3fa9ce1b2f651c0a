/*
 * ASSERTION: a store through a pointer that leads elsewhere than to this clause's scratch memory is a fault with the
 * address, and nothing is written.
 * SECTION: Types and expressions/Pointers and memory spaces
 */
#pragma D option quiet
struct far { char before[1264]; int x; };
BEGIN { this->t = (struct far *)64; this->t->x = 3; }
BEGIN { *(int *)8 = 5; }
BEGIN { *(char *)curthread = 'x'; }
BEGIN { bcopy("abc", (void *)16, 4); }
BEGIN { this->s = "literal"; this->p = (char *)this->s; this->p[100000] = 'x'; }
BEGIN { self->kept = (char *)alloca(8); self->kept[1] = 'y'; }
BEGIN { *(int *)curthread += 1; }
BEGIN { printf("%d\n", curthread->pid == tid); exit(0); }
ERROR { printf("fault %d %s\n", arg4, arg5 < 4096 && arg5 > 0 ? lltostr(arg5) : "far"); }
