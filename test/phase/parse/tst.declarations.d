/*
 * ASSERTION: Declarators are listed from the name outwards, specifiers as written.
 * SECTION: Program Structure/Declarations
 */
typedef unsigned long long big;
big*value;
self string name;
int list[3][5], *both[2], assoc[int, string];
extern int (*handler)(int, const char *restrict, ...);
struct node {
	struct node *next;
	unsigned flags:3, :5;
	union { int i; char c[4]; };
	enum colour { RED, GREEN = 1 << 2, } colour;
};
struct forward;
inline string state[int s] = s == 0 ? "idle" : "busy";
