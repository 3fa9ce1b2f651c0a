/*
 * ASSERTION: this-> variables of every type are shared by the clauses of a firing and are zero when the next one begins.
 * SECTION: Variables/Classes
 */
#pragma D option quiet
struct pt { int x; string s; };
this string s; this char c; this struct pt p; this int a[3];
BEGIN { this->s = "abc"; this->c = 300; this->p.x = 4; this->p.s = "in"; this->a[2] = 7; this->new = 5LL; }
BEGIN { printf("%s %d %d %s %d %d\n", this->s, this->c, this->p.x, this->p.s, this->a[2], this->new++); }
BEGIN { printf("%d %d\n", this->new, sizeof (this->new)); }
tick-1ms / i < 2 / { printf("[%s] %d %d [%s] %d\n", this->s, this->c, this->p.x, this->p.s, this->a[2]); this->s = "left"; this->p.s = "over"; this->a[2]++; i++; }
tick-1ms / i == 2 / { i++; exit(0); }
END { printf("[%s] %d\n", this->s, this->new); }
