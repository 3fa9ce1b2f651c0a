/*
 * ASSERTION: index(), rindex(), strchr(), strrchr(), strstr(), substr() at their edges: empty strings, starts beyond either
 * end, lengths that are 0 or negative.
 * SECTION: Actions and subroutines/Subroutines
 */
#pragma D option quiet
BEGIN
{
	this->s = "foobarbar";
	printf("%d %d %d %d %d\n", index(this->s, "bar"), index(this->s, "bar", 3), index(this->s, "bar", 4), index(this->s, "bar", 7), index(this->s, "f", -5));
	printf("%d %d %d %d %d\n", index("foobar", "", 2), index("foobar", "", 6), index("foobar", "", 10), index("foobar", "", -3), index("foobar", "b", 6));
	printf("%d %d %d %d\n", index("", ""), index("", "a"), index("a", ""), index("aaa", "aaaa"));
	printf("%d %d %d %d %d\n", rindex(this->s, "bar"), rindex(this->s, "bar", 5), rindex(this->s, "bar", 2), rindex(this->s, "bar", -1), rindex(this->s, "bar", 100));
	printf("%d %d %d %d %d\n", rindex("foobar", "", -1), rindex("foobar", "", 3), rindex("foobar", "", 100), rindex("", ""), rindex("", "a"));
	printf("%s|%s|%s|%s|%d|%d\n", strchr("hello", 'l'), strrchr("hello", 'l'), strchr("hello", 'h'), strchr("hello", 'o'), strchr("hello", 'z') == NULL, strrchr("hello", 'z') == NULL);
	printf("[%s][%s]%d\n", strchr("hello", 0), strrchr("hello", 0), strchr("", 'a') == NULL);
	printf("%s|%s|[%s]|%d|%d\n", strstr("hello", "ll"), strstr("hello", ""), strstr("", ""), strstr("hello", "z") == NULL, strstr("", "a") == NULL);
	this->h = "hello";
	printf("[%s][%s][%s][%s][%s][%s][%s]\n", substr(this->h, -2), substr(this->h, -10, 7), substr(this->h, -10), substr(this->h, 2, -1), substr(this->h, 0, -2), substr(this->h, 1, 2), substr(this->h, 10));
	printf("[%s][%s][%s][%s][%s][%s][%s][%s]\n", substr("", 0), substr("", 0, 1), substr("hello", 5), substr("hello", 4, 100), substr("hello", 1, 0), substr("hello", 1, -10), substr("hello", -3, -1), substr("hello", -3, 2));
	n = -2; m = 1;
	printf("%s %s %d %d\n", substr(this->h, n), substr(this->h, n - 1, m), index(this->h, "l", m + 2), rindex(this->h, "l", m + 1));
	exit(0);
}
