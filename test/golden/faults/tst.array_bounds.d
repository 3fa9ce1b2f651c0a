/*
 * ASSERTION: an index beyond a D array's end is a fault with the index, for loads and stores; the clause's record is gone,
 * later clauses run.
 * SECTION: Types and expressions/Structs, unions, bit-fields, enums, arrays
 */
#pragma D option quiet
int a[4], m[2][3];
BEGIN { a[3] = 9; i = 3; m[1][2] = 5; }
BEGIN { printf("%d %d\n", a[i], m[i - 2][i - 1]); }
BEGIN { i = 4; printf("never\n"); trace(a[i]); }
BEGIN { i = -1; a[i] = 3; }
BEGIN { i = 3; trace(m[1][i]); }
BEGIN { printf("%d\n", a[i]); exit(0); }
ERROR { printf("fault %d at %d\n", arg4, arg5); }
