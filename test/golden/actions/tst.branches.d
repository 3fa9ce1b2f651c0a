/*
 * @@status: 7
 * ASSERTION: if and else nest, chain, hold every kind of statement, and any number of branches may record; a fault in one
 * ends the clause.
 * SECTION: Stability, faults, drops, speculation, clause semantics/Clause evaluation
 */
#pragma D option quiet
BEGIN
{
	i = 3;
	if (i == 3) { if (i > 5) printf("a\n"); else if (i > 2) { printf("b\n"); if (0) printf("x"); else printf("c\n"); } else printf("d\n"); }
	if (!i) printf("n\n");
	if (i) { } else { printf("z"); }
	if (i == 3 && i != 4) printf("end %d\n", i); else ;
	if (1) @a["y"] = count(); else @a["n"] = count();
	if (0) { @b = sum(1); } else { @b = sum(2); }
	if (i) this->s = "set"; printf("[%s] %s\n", this->s, i > 2 ? "big" : "small");
	if (i) x = y = 4; else x = 5;
	printf("%d %d\n", x, y);
	printa("%s %@d\n", @a); printa("%@d\n", @b);
}
BEGIN { if (i) { trace(*(int *)0); printf("never\n"); } printf("never\n"); }
BEGIN { if (i == 4) { trace(*(int *)0); } else printf("no fault\n"); }
BEGIN { if (i) exit(7); printf("after exit\n"); }
