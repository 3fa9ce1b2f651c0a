/*
 * ASSERTION: basename(), dirname() and cleanpath() with slashes at the end, nothing but slashes, nothing, dots.
 * SECTION: Actions and subroutines/Subroutines
 */
#pragma D option quiet
BEGIN
{
	printf("%s|%s|%s|%s|%s|%s|%s\n", basename("/foo/bar/baz"), basename("/foo/bar///baz/"), basename("/foo/bar///"), basename("foo"), basename("/"), basename("///"), basename(""));
	printf("%s|%s|%s|%s|%s|%s|%s|%s\n", dirname("/foo/bar/baz"), dirname("/foo/bar///baz/"), dirname("/foo/bar///"), dirname("foo"), dirname("/"), dirname("///"), dirname(""), dirname("/x"));
	printf("%s|%s|%s|%s|%s|%s\n", basename("."), basename(".."), dirname("foo/"), dirname("./a"), dirname("a/b/"), dirname("//a"));
	printf("%s|%s|%s|%s|%s|%s\n", cleanpath("/foo/bar/baz"), cleanpath("/foo//bar///baz"), cleanpath("/foo/./bar/../baz"), cleanpath("/../../a"), cleanpath("../../a"), cleanpath("a/../b"));
	printf("%s|[%s]|%s|%s|%s|%s\n", cleanpath("/"), cleanpath(""), cleanpath("//"), cleanpath("/./a"), cleanpath("./a"), cleanpath("/foo/.../x/..y"));
	s = "/usr/lib/../bin/env"; printf("%s %s %s\n", basename(s), dirname(s), cleanpath(s));
	exit(0);
}
