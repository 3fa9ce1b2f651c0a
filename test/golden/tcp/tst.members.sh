#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: tcpsinfo_t has what the kernel knows of a connection that has just been opened and of one that was refused, and
#   a struct tcp_sock translates to the same.
# SECTION: Providers, 2.7
# @@timeout: 60
. ../../runner/ranges.sh
set -o pipefail
cat >"$tmpdir/one.py" <<'END'
import socket
listener = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listener.getsockname())
END
"$dtrace" $dt_flags -q -n '
tcp:::connect-request /args[1]->cs_pid == $target/ {
	opened = args[1]->cs_addr;
	printf("request: %s mss %d, sequence %d\n", args[3]->tcps_raddr, args[3]->tcps_mss, args[3]->tcps_irs);
}
tcp:::connect-established /args[1]->cs_addr == opened/ {
	printf("sequences: sent %d %d %d, got %d %d\n", args[3]->tcps_suna - args[3]->tcps_iss,
	    args[3]->tcps_snxt - args[3]->tcps_iss, args[3]->tcps_smax - args[3]->tcps_iss,
	    args[3]->tcps_rnxt - args[3]->tcps_irs, args[3]->tcps_iss != 0 && args[3]->tcps_irs != 0);
	printf("windows: send %u receive %u, scale sent %d, scale received %d\n", args[3]->tcps_swnd, args[3]->tcps_rwnd,
	    args[3]->tcps_snd_ws, args[3]->tcps_rcv_ws);
	printf("congestion: %d, threshold %d\n",
	    args[3]->tcps_cwnd == ((struct tcp_sock *)args[3]->tcps_addr)->snd_cwnd * args[3]->tcps_mss,
	    args[3]->tcps_cwnd_ssthresh > args[3]->tcps_cwnd);
	printf("sacked: %d %d\n", args[3]->tcps_sack_fack == args[3]->tcps_suna, args[3]->tcps_sack_snxt == args[3]->tcps_suna);
	printf("times: retransmission %d round-trip %d deviation %d\n", args[3]->tcps_rto, args[3]->tcps_rtt, args[3]->tcps_rtt_sd);
	printf("retransmit %d, acknowledged %d\n", args[3]->tcps_retransmit, args[3]->tcps_rack != 0);
	this->t = (struct tcp_sock *)args[3]->tcps_addr;
	printf("the same: %d %d %d %s %s\n", xlate<tcpsinfo_t *>(this->t)->tcps_iss == args[3]->tcps_iss,
	    xlate<tcpsinfo_t *>(this->t)->tcps_rport == args[3]->tcps_rport,
	    xlate<tcpsinfo_t *>(this->t)->tcps_mss == args[3]->tcps_mss, xlate<tcpsinfo_t *>(this->t)->tcps_raddr,
	    tcp_state_string[xlate<tcpsinfo_t *>(this->t)->tcps_state]);
}' -c "python3 -B $tmpdir/one.py" | ranges 'mss 1..' 'send 1001..' 'receive 1001..' 'scale sent 0..14' 'scale received 0..14' \
	'retransmission 1..120000' 'round-trip 0..59999' 'deviation 0..59999'
echo "status $?"
