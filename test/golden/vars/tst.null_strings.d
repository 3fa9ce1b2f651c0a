/*
 * ASSERTION: strings that were never assigned: globals and this-> read as "", thread-locals and elements are NULL, which
 * is a fault to record or to pass to a string function; in comparisons NULL is as good as "". A global that NULL was
 * assigned to is NULL too.
 * SECTION: Types and expressions/Strings
 */
#pragma D option quiet
string g; this string t; self string s; string a[int];
BEGIN { printf("[%s] [%s] %d %d %d\n", g, this->t, g == "", g == NULL, this->t == NULL); }
BEGIN { printf("%d %d %d\n", self->s == NULL, a[1] == NULL, strchr("a", 'x') == NULL); }
BEGIN { printf("%d %d %d %d %d\n", self->s == "x", self->s == "", "" == a[1], a[1] != "x", a[1] < "a"); }
BEGIN { a[2] = "two"; printf("%d %d %d\n", a[1] == a[2], a[1] == a[3], a[2] == "two"); }
BEGIN / self->s == "file" / { printf("never\n"); }
BEGIN { g = a[1]; printf("[%s] %d\n", g, g == NULL); }
BEGIN { self->s = "set"; printf("%s %d\n", self->s, self->s != NULL); self->s = 0; printf("%d\n", self->s == NULL); }
BEGIN { a[2] = NULL; printf("%d\n", a[2] == NULL); }
BEGIN { trace(self->s); }
BEGIN { printf("%s", a[1]); }
BEGIN { trace(strlen(a[1])); }
BEGIN { trace(strjoin("x", self->s)); }
BEGIN { exit(0); }
ERROR { printf("clause %d: fault %d at %d\n", arg2, arg4, arg5); }
