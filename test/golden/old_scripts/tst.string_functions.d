#!/usr/sbin/dtrace -qs
/* ASSERTION: the string functions that scripts cut paths and lines with.	@@runtest-opts: -q */

dtrace:::BEGIN
{
	path = "/usr/lib/amd64/libc.so.1";
	printf("%s %s %d\n", basename(path), dirname(path), strlen(path));
	printf("%s %s\n", strtok(path, "/"), strtok(NULL, "/"));
	printf("%s|%s|%s\n", substr(path, 5, 3), substr(path, -4), strjoin(basename(path), ".bak"));
	printf("%d %d %d\n", index(path, "lib"), rindex(path, "lib"), index(path, "x"));
	printf("%s %s\n", strchr(path, 'a'), strrchr(path, '/'));
	printf("%s %s\n", strstr(path, "amd"), lltostr(-12345));
	printf("%d %s\n", strtoll("0x1f", 16), lltostr(255, 16));
	printf("%s %s %s\n", toupper("SunOs"), tolower("SunOS"), cleanpath("/a/./b/../c"));
	printf("%s\n", strjoin(strjoin("pid ", lltostr(42)), strjoin("/", "tid")));
	printf("%d%d%d\n", "abc" < "abd", "abc" == "abc", "b" > "abc");
	exit(0);
}
