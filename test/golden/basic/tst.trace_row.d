/*
 * ASSERTION: trace() columns are as wide as the size and sign of each datum says.
 * SECTION: Output formats/trace() layout
 */
BEGIN
{
	trace(1);
	trace((char)65);
	trace((short)-2);
	trace(-3LL);
	trace("abc");
	exit(0);
}
