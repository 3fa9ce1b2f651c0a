/*
 * ASSERTION: a character of a string is found by an index that varies, whatever the string comes from: a name of the
 *   thread, a function, a variable, a key. What is behind the string is 0, and behind strsize out of bounds.
 * SECTION: Types/Strings
 */
#pragma D option quiet
string kept[int];
BEGIN
{
	text = "abcde";
	self->text = "fgh";
	kept[1] = "ijk";
	i = 2;
	printf("%c %c %c %c\n", text[i], self->text[i], kept[1][i], "lmn"[i]);
	printf("%c %c %c\n", basename("/opq/rst")[i], strjoin("uv", "wx")[i], toupper("yzab")[i]);
	printf("%c %c %d\n", execname[i], curpsinfo->pr_fname[i], cwd[0] == '/');
	printf("%c %c\n", dirname("/cde/f")[i], (i ? execname : "x")[i]);
	i = 100;
	printf("%d %d %d %d %d\n", text[i], execname[i], "lmn"[i], basename("/opq/rst")[i], execname[100]);
	for (i = 0; i < 6; i++) { total += execname[i]; }
	printf("%d\n", total);
	i = 256;
}
BEGIN { trace(basename(text)[i]); }
ERROR { printf("fault %d at %d\n", arg4, arg5); exit(0); }
