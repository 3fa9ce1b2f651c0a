/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcprtt.d: show round-trip times of TCP connections, as distributions of microseconds.
 *
 * Each segment that an established connection receives counts, with the time that the kernel's TCP has estimated until then: a
 * smoothed mean of the times between data and its acknowledgement. Segments before the first estimate do not count. They come
 * in the context of any process, so there is no process to choose.
 *
 * filters: -i
 * option: -l PORT=0 | local_port | count only connections with this local port
 * option: -r PORT=0 | remote_port | count only connections with this remote port
 * option: -b | by_local | show a distribution for each local address
 * option: -B | by_remote | show a distribution for each remote address
 * option: -s | summary | show percentiles in place of distributions
 * column: ADDRESS | the local (-b) or remote (-B) address; all without these options
 * column: COUNT | how many segments were received
 * column: AVG(us) | the mean of their estimates, in microseconds
 * column: P50(us), P99(us) | so many of 100 were not longer, in microseconds: upper bounds of powers of two
 * column: MAX(us) | the longest, in microseconds
 * example: tcprtt.d -s -B -i 1 | how far away are the peers, second by second?
 * example: tcprtt.d -l 443 -t 60 | a minute of the clients of a web server
 */
inline tcpsinfo_t ends[struct sock *s] = xlate <tcpsinfo_t> ((struct tcp_sock *)s);
/* The kernel keeps eighths of microseconds. */
inline uint32_t rtt_us[struct sock *s] = ((struct tcp_sock *)s)->srtt_us >> 3;

sdt:tcp::tcp_probe
/(!local_port || ends[args[0]].tcps_lport == local_port) && (!remote_port || ends[args[0]].tcps_rport == remote_port) && rtt_us[args[0]]/
{
	this->us = rtt_us[args[0]];
	this->address = by_remote ? ends[args[0]].tcps_raddr : by_local ? ends[args[0]].tcps_laddr : "all";
	@times[this->address] = quantize(this->us);
	@count[this->address] = count();
	@mean[this->address] = avg(this->us);
	@longest[this->address] = max(this->us);
}

tick-1s, END
/summary && due/
{
	heading ? printf("%-25s %9s %9s %9s %9s %9s\n", "ADDRESS", "COUNT", "AVG(us)", "P50(us)", "P99(us)", "MAX(us)") : 0;
	printa("%-25s %@9d %@9d %@9.5q %@9.99q %@9d\n", @count, @mean, @times, @times, @longest);
}

tick-1s, END
/!summary && due/
{
	printa("%s, microseconds %@d\n", @times);
}

tick-1s, END
/due/
{
	trunc(@times);
	trunc(@count);
	trunc(@mean);
	trunc(@longest);
}
