/* test/golden/profile/tst.lag.d
 * ASSERTION: arg2 of profile-n says by how many ns the clock struck late, which is less than a period.
 * SECTION: profile Provider/Arguments      @@timeout: 60 */
#pragma D option quiet

profile-500
{
	firings++;
	late += arg2 > 0;
	out_of_range += arg2 < 0 || arg2 >= 2000000;
}

profile-500
/firings >= 200/
{
	exit(0);
}

END
{
	printf("%s %d\n", late > 150 ? "mostly late" : "mostly in time", out_of_range);
}
