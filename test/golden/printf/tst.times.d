/*
 * ASSERTION: a precision of %Y is the number of digits of the second's fraction, and {} in front of Y holds a format of
 * strftime(3), in which %N is the fraction, as in date(1).
 * SECTION: Printing/Formats
 */
#pragma D option quiet
BEGIN
{
	this->t = 1700000000123456789;
	printf("%Y\n", this->t);
	printf("%.3Y|%.9Y|%.0Y\n", this->t, this->t, this->t);
	printf("%{%H:%M:%S}Y\n", this->t);
	printf("%.6{%T}Y\n", this->t);
	printf("%{%F %T.%3N %%N %N}Y\n", this->t);
	printf("[%12{%T}Y] [%-12{%T}Y]\n", this->t, this->t);
	printf("%{%j}Y%{%p}Y\n", this->t, this->t);
	printf("%.2Y\n", (int64_t)-1);
	@[1700000001500000000] = count();
	printa("%.1{%T}Y %@d\n", @);
	exit(0);
}
