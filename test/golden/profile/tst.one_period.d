/* test/golden/profile/tst.one_period.d
 * ASSERTION: Probes whose clocks have the same period fire each by itself, under their own names.
 * SECTION: profile Provider/tick-n      @@timeout: 60 */
#pragma D option quiet

tick-20ms, tick-20msec, tick-50hz
{
	fired[probename]++;
}

profile-20ms, profile-20msec
{
	fired[probename]++;
}

tick-20ms
/fired["tick-20ms"] >= 10 && fired["tick-20msec"] >= 10 && fired["tick-50hz"] >= 10 &&
    fired["profile-20ms"] != 0 && fired["profile-20msec"] != 0/
{
	printf("all of them\n");
	exit(0);
}

