/*
 * ASSERTION: structs, unions, enums, bit-fields, arrays and function pointers of the program's own: stored in variables and
 * in associative arrays, changed member by member, printed whole.
 * SECTION: Types and expressions/Structs, unions, bit-fields, enums, arrays
 */
#pragma D option quiet
typedef unsigned long long ull;
typedef struct { ull count; string name; int hist[8]; } entry_t;
entry_t table[int];
enum kind { K_READ, K_WRITE = 0x10 } kinds[string];
int matrix[3][4];
uint8_t bytes[16];
struct outer { struct { int a; union { short s; char c[2]; }; } in; const char *p; int (*fn)(int, char *); volatile unsigned flag:1; } o;
BEGIN
{
	table[1].count = 5; table[1].name = "five"; table[1].hist[3] = 9; table[2].name = "two";
	printf("%d %s %d %s %d\n", table[1].count, table[1].name, table[1].hist[3], table[2].name, table[3].count);
	kinds["a"] = K_WRITE; printf("%d %d\n", kinds["a"] == K_WRITE, kinds["zz"]);
	matrix[1][2] = 7; matrix[2][3] = matrix[1][2]++ * 2; printf("%d %d\n", matrix[1][2], matrix[2][3]);
	bytes[3] = 0x1ff; printf("%d %d\n", bytes[3], sizeof (bytes));
	o.in.s = 0x4142; printf("%c%c %d\n", o.in.c[0], o.in.c[1], sizeof (struct outer)); o.flag = 1; printf("%d\n", o.flag);
	print(o); exit(0); }
