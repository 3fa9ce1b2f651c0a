/*
 * ASSERTION: elapsed is the time since tracing began, and counts as timestamp does; uptime is the time since the system
 * started, which is not less than timestamp, as it also counts while the system sleeps.
 * SECTION: Variables/Built-in variables
 */
#pragma D option quiet
BEGIN
{
	from = timestamp - elapsed;
	printf("%s\n", elapsed < 1000000000 ? "begins at 0" : "does not begin at 0");
	printf("%s\n", uptime + 1000 >= timestamp ? "uptime" : "less than timestamp");
}
tick-50ms /++n == 3/
{
	printf("%s\n", timestamp - elapsed == from ? "one beginning" : "another beginning");
	printf("%s\n", elapsed >= 100000000 ? "goes on" : "stands");
	exit(0);
}
