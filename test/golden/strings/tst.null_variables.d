/*
 * ASSERTION: NULL in a global or this-> string is NULL, and the bytes that were there before cannot be read; a string that
 *   was never assigned is "".
 * SECTION: Types, Operators, and Expressions/Strings
 */
#pragma D option quiet
string unset;
BEGIN { s = "abc"; s = NULL; printf("%d %d [%d]\n", s == NULL, s != NULL, unset == NULL); }
BEGIN { printf("1 "); trace(s); }
BEGIN { printf("2 "); trace(s[1]); }
BEGIN { printf("3 "); trace(strlen(s)); }
BEGIN { s = "def"; printf("%d %s %c\n", s == NULL, s, s[1]); }
BEGIN { this->t = "abc"; this->t = strchr("x", 'y'); }
BEGIN { printf("%d %d\n", this->t == NULL, (string)0 != this->t); }
BEGIN { printf("4 "); trace(this->t[0]); }
BEGIN { this->t = "ghi"; printf("%d %s\n", this->t == NULL, this->t); }
BEGIN { s = NULL; copy = s; this->u = copy; printf("%d %d\n", copy == NULL, this->u == NULL); copy = "set"; printf("%s %d\n", copy, this->u == NULL); }
BEGIN { self->v = "abc"; self->v = NULL; s = self->v; printf("%d\n", s == NULL); }
BEGIN { s = "abc"; printf("%c%c [%d]\n", s[0], s[2], s[3]); i = 255; printf("%d\n", s[i] == s[i]); }
BEGIN { i = 256; trace(s[i]); }
BEGIN { i = -1; printf("5 "); trace(execname[i]); }
BEGIN { printf("%d\n", curlwpsinfo->pr_name[255]); }
ERROR { printf("fault %d\n", arg4); }
tick-1ms { printf("%d\n", this->t == NULL); exit(0); }
