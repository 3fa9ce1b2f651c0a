/*
 * ASSERTION: + joins strings and what is read as one, as strjoin() does, and += appends to a string variable; a string and
 * a number is still an address.
 * SECTION: Expressions/Operators
 */
#pragma D option quiet
string all;
BEGIN
{
	a = "left";
	printf("[%s] [%s] [%s]\n", a + " and " + "right", "" + a, a + "");
	printf("%d\n", a + "b" == "leftb");
	all = "x";
	all += "y";
	all += a;
	printf("%s %d\n", all, strlen(all + all));
	self->path = "/proc/";
	self->path += lltostr(7) + "/maps";
	printf("%s %s\n", self->path, basename(self->path + "/"));
	@[a + "!"] = count();
	printa("%s %@d\n", @);
	printf("%c\n", *(a + 1));
	exit(0);
}
