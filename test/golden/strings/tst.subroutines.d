/*
 * ASSERTION: string subroutines give the values that the reference lists.
 * SECTION: Subroutines
 */
#pragma D option quiet
BEGIN
{
	printf("%s %s %s %s %s %s [%s]\n", substr("hello", -2), substr("hello", -10, 7), substr("hello", -10), substr("hello", 2, -1),
	    substr("hello", 0, -2), substr("hello", 1, 2), substr("hello", 10));
	printf("%d %d %d\n", index("foobarbaz", "ba"), rindex("foobarbaz", "ba"), index("foo", "x"));
	printf("%s %s %s\n", basename("/a/b/c"), dirname("/a/b/c"), basename("/a/b/"));
	printf("%s %s %s\n", dirname("/x"), dirname("x"), basename("/"));
	printf("%s %s\n", strchr("abcd", 'c'), strrchr("abcabc", 'b'));
	printf("%s %d\n", strjoin("foo", "bar"), strlen("four"));
	printf("%s %s\n", toupper("miXed"), tolower("miXed"));
	printf("%s %s\n", strstr("haystack", "st"), strtok("a,b;c", ",;"));
	printf("%s\n", strtok(NULL, ",;"));
	printf("%s %s %s\n", lltostr(-12), lltostr(255, 16), lltostr(8, 8));
	printf("%d %d\n", strtoll("  -42"), strtoll("ff", 16));
	printf("%s\n", cleanpath("/a//b/./c/../d"));
	exit(0);
}
