/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pgslow.d: show slow queries of PostgreSQL servers.
 *
 * All servers of the machine are seen, also those that start later, if they have static probes (Debian's have). A message
 * with several statements is one query. Only simple queries are seen, not those that a client prepares.
 *
 * filters: -p -n -g
 * option: -m MS=100 | min_ms | show queries that took at least so many milliseconds
 * column: PID | the server's process for the connection
 * column: LAT(ms) | how long the query took, in milliseconds
 * column: QUERY | its text, cut at 255 bytes
 * example: pgslow.d | queries of 100 ms and more
 * example: pgslow.d -m 0 -p 1234 | all queries of one connection
 */

/* Servers may start later. */
#pragma D option zdefs

BEGIN
/heading/
{
	printf("%-7s %9s %s\n", "PID", "LAT(ms)", "QUERY");
}

postgresql*:::query-start
/selected/
{
	self->began = timestamp;
}

postgresql*:::query-done
/self->began/
{
	this->ms = (timestamp - self->began) / 1000000;
	this->ms >= min_ms ? printf("%-7d %9d %s\n", pid, this->ms, copyinstr(arg0)) : 0;
	self->began = 0;
}
