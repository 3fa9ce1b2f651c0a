/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mariadbslow.d: show slow queries of MariaDB servers.
 *
 * All servers of the machine are seen, also those that start later, by functions of the program mariadbd. A message
 * with several statements is one query. Only queries that are sent as text are seen, not those that a client prepares.
 *
 * filters: -p -g
 * option: -m MS=100 | min_ms | show queries that took at least so many milliseconds
 * column: PID | the server
 * column: TID | its thread for the connection
 * column: LAT(ms) | how long the query took, in milliseconds
 * column: QUERY | its text, cut at 255 bytes
 * example: mariadbslow.d | queries of 100 ms and more
 * example: mariadbslow.d -m 0 -p 1234 | all queries of one server
 */

/* Servers may be installed and start later. */
#pragma D option zdefs

/* The command that carries a query: COM_QUERY of the protocol. */
inline int query = 3;

BEGIN
/heading/
{
	printf("%-7s %-7s %9s %s\n", "PID", "TID", "LAT(ms)", "QUERY");
}

pid*:mariadbd:dispatch_command:entry
/selected && (int)arg0 == query/
{
	self->query = copyinstr(arg2);
	self->began = timestamp;
}

/* dispatch_command leaves by jumps; do_command, which calls it, reads the command before and does nothing after. */
pid*:mariadbd:do_command:return
/self->began && timestamp - self->began >= min_ms * 1000000/
{
	printf("%-7d %-7d %9d %s\n", pid, tid, (timestamp - self->began) / 1000000, self->query);
}

pid*:mariadbd:do_command:return
{
	self->began = 0;
	self->query = 0;
}
