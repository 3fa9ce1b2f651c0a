#!/bin/bash
# ASSERTION: an element of a declared array has an address, which reads and writes the array, and nothing behind it.
# SECTION: Pointers and Scalar Arrays/Pointers and Address Spaces
. "$(dirname "$0")/../../runner/show.sh"
cat >program.d <<'D'
#pragma D option quiet
int a[4];
struct pair { short x, y; } pairs[3];
int *p;
char text[8];
BEGIN
{
	a[0] = 10; a[1] = 11; a[2] = 12; a[3] = 13;
	p = &a[1];
	printf("%d %d %d %d\n", *p, p[1], *(p + 2), p - &a[0]);
	*p = 21;
	p[2] = 23;
	i = 2;
	*(&a[i]) = 22;
	printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
	(&pairs[1])->y = 5;
	pairs[i].x = 6;
	printf("%d %d %d\n", pairs[1].y, (&pairs[0])[2].x, sizeof (*&pairs[0]));
	bcopy("abcdefgh", &text[2], 4);
	printf("%d %c%c %d\n", text[1], text[2], text[5], text[6]);
}
BEGIN
{
	bcopy("abcdefgh", &text[5], 4);
}
ERROR
{
	printf("%s in clause %d\n", arg4 == DTRACEFLT_BADADDR ? "invalid address" : "another fault", arg1);
}
BEGIN
{
	printf("%d\n", text[5]);
	exit(0);
}
D
"$dtrace" -s program.d 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/'
