/* ASSERTION: errno_name[] and signal_name[] give the names of numbers, known only when the probe fires; the constants stay.
 * SECTION: Types, Operators, and Expressions/Enumerations */
#pragma D option quiet

BEGIN
{
	this->error = 2;
	printf("%s %s %s %d\n", errno_name[this->error], errno_name[0], errno_name[9999], ENOENT == 2);
	printf("%s %d\n", signal_name[this->error + 7], SIGKILL);
	@[errno_name[this->error + 11], signal_name[this->error]] = count();
	printf("%s %d %d\n", errno_name[95], ENOTSUP, EOPNOTSUPP);
	exit(0);
}
