/*
 * ASSERTION: a number is not added to a string.
 * SECTION: Expressions/Operators
 */
BEGIN
{
	trace("a" + 1);
	exit(0);
}
