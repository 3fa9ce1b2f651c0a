/*
 * ASSERTION: strings hold strsize - 1 bytes: variables, literals, results of subroutines and kernel strings are cut there,
 * without a fault.
 * SECTION: Types and expressions/Strings
 */
#pragma D option quiet
#pragma D option strsize=8
string of[string];
BEGIN
{
	x = "abcdefghijkl";
	printf("%s %d %d %d %d\n", x, strlen(x), sizeof (string), sizeof (x), sizeof ("abc"));
	printf("%s %d\n", strjoin("abcd", "efgh"), strlen(strjoin(x, x)));
	printf("%d %d\n", "abcdefgh" == "abcdefgi", strlen("this is long"));
	self->s = "0123456789"; of["0123456789"] = "0123456789";
	printf("%s %s %d\n", self->s, of["01234567"], of["0123456"] == "0123456");
	printf("%s %s %s\n", toupper("lowercase letters"), substr("0123456789", 5), lltostr(1234567890));
	@["one long key"] = count(); @["one long other"] = count(); printa("%s %@d\n", @);
	trace("traced, cut"); printf("\n");
	exit(0);
}
