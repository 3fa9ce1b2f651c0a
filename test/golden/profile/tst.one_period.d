/* test/golden/profile/tst.one_period.d
 * ASSERTION: Probes whose clocks have the same period fire each by itself, under their own names.
 * SECTION: profile Provider/tick-n      @@timeout: 60 */
#pragma D option quiet

tick-20ms, tick-20msec, tick-50hz, profile-20ms, profile-20msec
{
	ms += probename == "tick-20ms";
	msec += probename == "tick-20msec";
	hz += probename == "tick-50hz";
	every_ms += probename == "profile-20ms";
	every_msec += probename == "profile-20msec";
}

tick-20ms
/ms >= 10 && msec >= 10 && hz >= 10 && every_ms >= 10 && every_msec >= 10/
{
	printf("all of them\n");
	exit(0);
}

