/*
 * ASSERTION: inlines are expanded where they are used; constant ones serve as sizes; arrays of them bind their parameters
 * to what the indexes are, each evaluated once.
 * SECTION: Types and expressions/Inlines and translators
 */
#pragma D option quiet
int x;
inline int K = 4 * 3;
inline string S = "str";
inline char *P = (char *)0;
inline int now = x * 2;
inline int plus1[int a] = a + 1;
inline int add[int a, int b] = a + b * 2;
inline string state[int s] = s == 0 ? "idle" : s == 1 ? "busy" : "?";
inline string pick[int c, string a, string b] = c ? a : b;
int arr[K];
struct s { int a : K; };
BEGIN
{
	x = 5;
	printf("%d %s %d %d %d\n", K, S, P == NULL, sizeof (arr), now);
	x = 6;
	printf("%d %d\n", now, plus1[plus1[plus1[1]]]);
	printf("%s %s %s\n", state[0], state[x - 5], state[99]);
	printf("%s %s %d\n", pick[1, "a", "b"], pick[0, "a", execname], add[1, add[2, 3]]);
	i = 5;
	printf("%d %d\n", add[i++, 3], i);
	exit(0);
}
