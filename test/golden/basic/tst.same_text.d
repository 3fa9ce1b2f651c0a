/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ASSERTION: a list of descriptions makes a clause of each, also where several match one probe; each is known by its own
 * probe.
 */
#pragma D option quiet

BEGIN, dtrace:::BEGIN, BEGIN { printf("%s %d\n", probename, ++n); }
dtrace:::BEGIN, dtrace:::END, tick-10ms { @[probeprov, probename] = count(); ended += probename == "END"; }
tick-10ms { exit(0); }
END { printa("%s %s\n", @); printf("%d %d\n", n, ended); }
