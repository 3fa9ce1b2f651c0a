/*
 * ASSERTION: every form of declaration is understood: specifiers in any order, several declarators, typedefs of typedefs,
 * pointers to arrays and to functions, anonymous members, forward declarations, D's words as members' names.
 * SECTION: Lexical structure and grammar/Grammar
 */
#pragma D option quiet
int long unsigned lu; long unsigned int ul; long long int ll; int signed short ss; char unsigned cu;
const int ci; volatile int vi; const char *const *restrict deep;
int *x1, **x2, x3[3], *x4[4], (*x5)[5], (*x6)(int, char *), (*x7[2])(void);
typedef int myint; typedef myint yourint; typedef struct { yourint a; } *anon_p;
typedef int (*fn_t)(int, ...); fn_t handler;
typedef int vec[3]; vec v; vec vs[2];
enum { EA, EB = 10, EC, ED = -1, EE, };
struct fwd; struct holder { struct fwd *f; struct holder *next; }; struct fwd { int in; };
struct holder h;
struct kw { int string; int probe; int self; int provider; int translator; int xlate; int stringof; int userland; int this; } k;
struct nest { struct { int a; union { short s[2]; int w; }; }; int tail; } n;
typedef int foo; struct s { foo foo; }; struct s fs;
extern int an_extern(const char *, ...);
int keyed[int, string, char *, struct task_struct *]; self string of_thread[char, long];
string text, *tp; this int loc[2];
int twice; int twice;
inline int N = 2 + 1; int sized[N]; struct bits { int a : N; unsigned : 5; int : 0; int b : 4; };
anon_p ap;
BEGIN
{
	printf("%d %d %d %d %d\n", sizeof (lu), sizeof (ul), sizeof (ll), sizeof (ss), sizeof (cu));
	printf("%d %d %d %d %d %d %d\n", sizeof (x1), sizeof (x2), sizeof (x3), sizeof (x4), sizeof (*x5), sizeof (x6), sizeof (x7));
	printf("%d %d %d %d\n", sizeof (v), sizeof (vs), sizeof (handler), sizeof (deep));
	printf("%d %d %d %d %d\n", EA, EB, EC, ED, EE);
	k.string = 1; k.probe = 2; k.self = 3; k.provider = 4; k.translator = 5; k.xlate = 6; k.stringof = 7; k.userland = 8; k.this = 9;
	printf("%d%d%d%d%d%d%d%d%d\n", k.string, k.probe, k.self, k.provider, k.translator, k.xlate, k.stringof, k.userland, k.this);
	n.w = 0x20001; n.tail = 7; printf("%d %d %d\n", n.s[0], n.s[1], sizeof (struct nest));
	fs.foo = 4; ci = 5; printf("%d %d %d\n", fs.foo, ci, sizeof (foo));
	printf("%d %d %d %d\n", sizeof (struct fwd), sizeof (h), sizeof (sized), sizeof (struct bits));
	ap = (anon_p)alloca(sizeof (*ap)); ap->a = -5; printf("%d\n", ap->a);
	vs[1][2] = 8; printf("%d\n", vs[1][2]);
	keyed[1, "a", "b", curthread] = 3; printf("%d\n", keyed[1, "a", "b", curthread]);
	self->of_thread['x', 2] = "thread"; printf("%s\n", self->of_thread['x', 2]);
	this->loc[1] = 6; printf("%d %d\n", this->loc[0], this->loc[1]);
	exit(0);
}
