/*
 * ASSERTION: strings and character arrays print up to their NUL; %S escapes; wide characters print as UTF-8; times; a
 * floating-point variable can be printed; a format ends at its NUL.
 * SECTION: Output formats/printf formats
 */
#pragma D option quiet
int wide[4]; char chars[8]; double d; float f; long double ld;
BEGIN
{
	printf("[%s][%S][%S][%S]\n", "a\tb", "a\tb\"c", "new\nline\\\001", "\377x");
	printf("[%10s][%-10s][%.2s][%10.2s][%-10.2s][%*s][%.*s]\n", "abc", "abc", "abc", "abc", "abc", 6, "ab", 1, "xyz");
	chars[0] = 'h'; chars[1] = 'i'; chars[3] = 'x';
	printf("[%s][%S][%5s][%s]\n", chars, chars, chars, curthread->comm);
	wide[0] = 'h'; wide[1] = 0xe9; printf("[%ws][%ls][%wc%lc]\n", wide, wide, 'x', 0x20ac);
	printf("%Y|%T|%Y\n", (uint64_t)0, (uint64_t)0, 1700000000000000000);
	printf("%f %e %g %E %G %Lf %.1f %8.3f\n", d, d, d, d, d, ld, f, d);
	printf("%a %a %A\n", (uintptr_t)&`vfs_read, 1, 1);
	printf("%s%s%s\n", "", "x", "");
	printf("cut\0never %d %s\n");
	printf("\n");
	exit(0);
}
