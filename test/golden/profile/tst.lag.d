/* test/golden/profile/tst.lag.d
 * ASSERTION: arg2 of profile-n says by how many ns the clock struck late, which is less than a period. A virtual machine that does
 *   not run for a while has exceptions.
 * SECTION: profile Provider/Arguments      @@timeout: 60 */
#pragma D option quiet

profile-500
{
	firings++;
	late += arg2 > 0;
	early += arg2 < 0;
	whole_period += arg2 >= 2000000;
}

profile-500
/firings >= 200/
{
	exit(0);
}

END
{
	printf("of a hundred: late %d, by a period %d, early %d\n", late * 100 / firings, whole_period * 100 / firings, early);
}
