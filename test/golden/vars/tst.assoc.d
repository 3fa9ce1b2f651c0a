/*
 * ASSERTION: associative arrays hold values by tuple; absent elements are 0; storing 0 deletes.
 * SECTION: Variables/Associative arrays
 */
#pragma D option quiet
BEGIN
{
	a["x", 1] = 10; a["x", 2] = 20; a["y", 1] = 30;
	a["x", 1] += 5;
	printf("%d %d %d %d\n", a["x", 1], a["x", 2], a["y", 1], a["z", 9]);
	a["x", 1] = 0;
	printf("%d\n", a["x", 1]);
	exit(0);
}
