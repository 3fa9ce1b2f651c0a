/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcp.d - connections and their segments: tcpsinfo_t, tcplsinfo_t, tcpinfo_t.
 */

/* Linux's numbers. */
inline int TCP_STATE_IDLE = 0;
inline int TCP_STATE_ESTABLISHED = 1;
inline int TCP_STATE_SYN_SENT = 2;
inline int TCP_STATE_SYN_RECEIVED = 3;
inline int TCP_STATE_FIN_WAIT_1 = 4;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;
inline int TCP_STATE_CLOSED = 7;
inline int TCP_STATE_CLOSE_WAIT = 8;
inline int TCP_STATE_LAST_ACK = 9;
inline int TCP_STATE_LISTEN = 10;
inline int TCP_STATE_CLOSING = 11;
inline int TCP_STATE_BOUND = 13;

inline string tcp_state_string[int state] =
    state == TCP_STATE_IDLE ? "state-idle" :
    state == TCP_STATE_ESTABLISHED ? "state-established" :
    state == TCP_STATE_SYN_SENT ? "state-syn-sent" :
    state == TCP_STATE_SYN_RECEIVED ? "state-syn-received" :
    state == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" :
    state == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
    state == TCP_STATE_TIME_WAIT ? "state-time-wait" :
    state == TCP_STATE_CLOSED ? "state-closed" :
    state == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
    state == TCP_STATE_LAST_ACK ? "state-last-ack" :
    state == TCP_STATE_LISTEN ? "state-listen" :
    state == TCP_STATE_CLOSING ? "state-closing" :
    state == TCP_STATE_BOUND ? "state-bound" : "<unknown>";

inline uint8_t TH_FIN = 0x01;
inline uint8_t TH_SYN = 0x02;
inline uint8_t TH_RST = 0x04;
inline uint8_t TH_PUSH = 0x08;
inline uint8_t TH_PSH = 0x08;
inline uint8_t TH_ACK = 0x10;
inline uint8_t TH_URG = 0x20;
inline uint8_t TH_ECE = 0x40;
inline uint8_t TH_CWR = 0x80;

typedef struct tcpsinfo {
	uintptr_t tcps_addr;	/* the struct tcp_sock */
	int tcps_local;		/* both ends are this machine's */
	int tcps_active;	/* opened by a process here: 1 in the connect- probes, else not known */
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int tcps_state;		/* TCP_STATE_*: what it becomes, where it changes */
	uint32_t tcps_iss;	/* first sequence numbers sent and received; on the passive side, one more */
	uint32_t tcps_irs;
	uint32_t tcps_suna;	/* sent, not acknowledged: the first */
	uint32_t tcps_smax;	/* to be sent next */
	uint32_t tcps_snxt;
	uint32_t tcps_rack;	/* acknowledged to the other end */
	uint32_t tcps_rnxt;	/* expected from it */
	uint32_t tcps_swnd;
	int32_t tcps_snd_ws;	/* window scales, as powers of two */
	uint32_t tcps_rwnd;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;	/* bytes */
	uint32_t tcps_cwnd_ssthresh;	/* bytes; 0x7fffffff: not known yet */
	uint32_t tcps_sack_fack;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;	/* milliseconds */
	uint32_t tcps_mss;
	int tcps_retransmit;	/* of tcp:::send: bytes that were sent before */
	uint32_t tcps_rtt;	/* milliseconds, and their deviation */
	uint32_t tcps_rtt_sd;
} tcpsinfo_t;

typedef struct tcplsinfo {
	int tcps_state;		/* what it was */
} tcplsinfo_t;

translator tcplsinfo_t < int S > {
	tcps_state = S;
};

/*
 * A socket and the state it comes to, which it does not show yet. All bits at the top of a kernel's address are set: six of
 * them can be had.
 */
struct __dt_tcp_at;
inline int __DT_TCP_ACTIVE = 0x10;
inline int __DT_TCP_RETRANSMIT = 0x20;
inline struct __dt_tcp_at *__dt_tcp_at[struct sock *s, int how] =
    (struct __dt_tcp_at *)(((uintptr_t)s & 0x03ffffffffffffff) | (uintptr_t)how << 58);
inline int __dt_tcp_how[struct __dt_tcp_at *a] = (int)((uintptr_t)a >> 58);
inline struct tcp_sock *__dt_tcp_of[struct __dt_tcp_at *a] = (struct tcp_sock *)((uintptr_t)a | 0xfc00000000000000);
inline struct sock *__dt_tcp_sock_of[struct __dt_tcp_at *a] = (struct sock *)((uintptr_t)a | 0xfc00000000000000);

/* TIME_WAIT and requests that are not answered yet have sockets of less than that. */
inline int __dt_is_full[struct __dt_tcp_at *a] =
    __dt_tcp_sock_of[a]->__sk_common.skc_state != 6 && __dt_tcp_sock_of[a]->__sk_common.skc_state != 12;

/* The lowest sequence number above what was acknowledged out of order. */
inline uint32_t __dt_tcp_sacked[struct tcp_sock *t] = t->sacked_out == 0 ? t->snd_una :
    t->highest_sack == NULL ? t->snd_nxt : ((struct tcp_skb_cb *)t->highest_sack->cb)->seq;

/* From what the kernel makes it of: its own is in ticks, of a length that it does not tell. */
inline uint32_t __dt_tcp_rto[struct tcp_sock *t] =
    (t->srtt_us == 0 ? 1000 : ((t->srtt_us >> 3) + t->rttvar_us) / 1000) << (t->inet_conn.icsk_backoff & 15);

translator tcpsinfo_t < struct __dt_tcp_at *A > {
	tcps_addr = (uintptr_t)__dt_tcp_of[A];
	tcps_local = __dt_sock_is_local[__dt_tcp_sock_of[A]];
	tcps_active = (__dt_tcp_how[A] & __DT_TCP_ACTIVE) != 0;
	tcps_lport = __dt_sock_lport[__dt_tcp_sock_of[A]];
	tcps_rport = ntohs(__dt_tcp_sock_of[A]->__sk_common.skc_dport);
	tcps_laddr = __dt_sock_laddr[__dt_tcp_sock_of[A]];
	tcps_raddr = __dt_sock_raddr[__dt_tcp_sock_of[A]];
	tcps_state = (__dt_tcp_how[A] & 15) == 12 ? TCP_STATE_SYN_RECEIVED : __dt_tcp_how[A] & 15;
	tcps_iss = __dt_is_full[A] ? (uint32_t)(__dt_tcp_of[A]->snd_una - __dt_tcp_of[A]->bytes_acked) : 0;
	tcps_irs = !__dt_is_full[A] || __dt_tcp_of[A]->rcv_nxt == 0 ? 0 :
	    (uint32_t)(__dt_tcp_of[A]->rcv_nxt - __dt_tcp_of[A]->bytes_received - 1);
	tcps_suna = __dt_is_full[A] ? __dt_tcp_of[A]->snd_una : 0;
	tcps_smax = __dt_is_full[A] ? __dt_tcp_of[A]->snd_nxt : 0;
	tcps_snxt = __dt_is_full[A] ? __dt_tcp_of[A]->snd_nxt : 0;
	tcps_rack = __dt_is_full[A] ? __dt_tcp_of[A]->rcv_wup : 0;
	tcps_rnxt = __dt_is_full[A] ? __dt_tcp_of[A]->rcv_nxt : 0;
	tcps_swnd = __dt_is_full[A] ? __dt_tcp_of[A]->snd_wnd : 0;
	tcps_snd_ws = __dt_is_full[A] ? __dt_tcp_of[A]->rx_opt.snd_wscale : 0;
	tcps_rwnd = __dt_is_full[A] ? __dt_tcp_of[A]->rcv_wnd : 0;
	tcps_rcv_ws = __dt_is_full[A] ? __dt_tcp_of[A]->rx_opt.rcv_wscale : 0;
	tcps_cwnd = __dt_is_full[A] ? __dt_tcp_of[A]->snd_cwnd * __dt_tcp_of[A]->mss_cache : 0;
	tcps_cwnd_ssthresh = !__dt_is_full[A] ? 0 : __dt_tcp_of[A]->snd_ssthresh >= 0x7fffffff ? 0x7fffffff :
	    __dt_tcp_of[A]->snd_ssthresh * __dt_tcp_of[A]->mss_cache;
	tcps_sack_fack = __dt_is_full[A] ? __dt_tcp_sacked[__dt_tcp_of[A]] : 0;
	tcps_sack_snxt = __dt_is_full[A] ? __dt_tcp_sacked[__dt_tcp_of[A]] : 0;
	tcps_rto = __dt_is_full[A] ? __dt_tcp_rto[__dt_tcp_of[A]] : 0;
	tcps_mss = __dt_is_full[A] ? __dt_tcp_of[A]->mss_cache : 0;
	tcps_retransmit = (__dt_tcp_how[A] & __DT_TCP_RETRANSMIT) != 0;
	tcps_rtt = __dt_is_full[A] ? (__dt_tcp_of[A]->srtt_us >> 3) / 1000 : 0;
	tcps_rtt_sd = __dt_is_full[A] ? (__dt_tcp_of[A]->mdev_us >> 2) / 1000 : 0;
};

/* A socket in the state that it shows. */
inline struct __dt_tcp_at *__dt_tcp_now[struct tcp_sock *t] = __dt_tcp_at[(struct sock *)t,
    ((struct sock *)t)->__sk_common.skc_state];

translator tcpsinfo_t < struct tcp_sock *T > {
	tcps_addr = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_addr;
	tcps_local = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_local;
	tcps_active = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_active;
	tcps_lport = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_lport;
	tcps_rport = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_rport;
	tcps_laddr = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_laddr;
	tcps_raddr = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_raddr;
	tcps_state = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_state;
	tcps_iss = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_iss;
	tcps_irs = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_irs;
	tcps_suna = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_suna;
	tcps_smax = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_smax;
	tcps_snxt = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_snxt;
	tcps_rack = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_rack;
	tcps_rnxt = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_rnxt;
	tcps_swnd = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_swnd;
	tcps_snd_ws = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_snd_ws;
	tcps_rwnd = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_rwnd;
	tcps_rcv_ws = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_rcv_ws;
	tcps_cwnd = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_cwnd;
	tcps_cwnd_ssthresh = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_cwnd_ssthresh;
	tcps_sack_fack = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_sack_fack;
	tcps_sack_snxt = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_sack_snxt;
	tcps_rto = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_rto;
	tcps_mss = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_mss;
	tcps_retransmit = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_retransmit;
	tcps_rtt = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_rtt;
	tcps_rtt_sd = xlate <tcpsinfo_t *> (__dt_tcp_now[T])->tcps_rtt_sd;
};

/* While a process is at work on a socket it holds it; what arrives meanwhile waits for that. */
translator csinfo_t < struct tcp_sock *T > {
	cs_addr = (uintptr_t)T;
	cs_cid = T == NULL ? 0 : xlate <csinfo_t *> ((struct sock *)T)->cs_cid;
	cs_pid = T != NULL && ((struct sock *)T)->sk_lock.owned != 0 ? pid : -1;
	cs_zoneid = 0;
};

/* Without a packet all is 0 except the ports. */
typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset;	/* bytes of the header */
	uint8_t tcp_flags;	/* TH_* */
	uint16_t tcp_window;	/* not scaled */
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	struct tcphdr *tcp_hdr;
} tcpinfo_t;

/* A socket for a packet of its connection that is sent, or has come. */
struct __dt_tcp_sent;
struct __dt_tcp_got;
inline struct __dt_tcp_sent *__dt_tcp_sent[struct sock *s] = (struct __dt_tcp_sent *)s;
inline struct __dt_tcp_got *__dt_tcp_got[struct sock *s] = (struct __dt_tcp_got *)s;

translator ipinfo_t < struct __dt_tcp_sent *S > {
	ip_ver = __dt_sock_is_v4[(struct sock *)S] ? 4 : 6;
	ip_plength = 0;
	ip_saddr = __dt_sock_laddr[(struct sock *)S];
	ip_daddr = __dt_sock_raddr[(struct sock *)S];
};

translator tcpinfo_t < struct __dt_tcp_sent *S > {
	tcp_sport = __dt_sock_lport[(struct sock *)S];
	tcp_dport = ntohs(((struct sock *)S)->__sk_common.skc_dport);
	tcp_seq = 0;
	tcp_ack = 0;
	tcp_offset = 0;
	tcp_flags = 0;
	tcp_window = 0;
	tcp_checksum = 0;
	tcp_urgent = 0;
	tcp_hdr = NULL;
};

translator ipinfo_t < struct __dt_tcp_got *S > {
	ip_ver = __dt_sock_is_v4[(struct sock *)S] ? 4 : 6;
	ip_plength = 0;
	ip_saddr = __dt_sock_raddr[(struct sock *)S];
	ip_daddr = __dt_sock_laddr[(struct sock *)S];
};

translator tcpinfo_t < struct __dt_tcp_got *S > {
	tcp_sport = ntohs(((struct sock *)S)->__sk_common.skc_dport);
	tcp_dport = __dt_sock_lport[(struct sock *)S];
	tcp_seq = 0;
	tcp_ack = 0;
	tcp_offset = 0;
	tcp_flags = 0;
	tcp_window = 0;
	tcp_checksum = 0;
	tcp_urgent = 0;
	tcp_hdr = NULL;
};

inline struct tcphdr *__dt_tcphdr[struct sk_buff *s] = (struct tcphdr *)(s->head + s->transport_header);
inline uint8_t __dt_tcp_flags[struct sk_buff *s] = *(s->head + s->transport_header + 13);
inline uint8_t __dt_tcp_offset[struct sk_buff *s] = (*(s->head + s->transport_header + 12) >> 4) * 4;

translator tcpinfo_t < struct sk_buff *S > {
	tcp_sport = ntohs(__dt_tcphdr[S]->source);
	tcp_dport = ntohs(__dt_tcphdr[S]->dest);
	tcp_seq = ntohl(__dt_tcphdr[S]->seq);
	tcp_ack = ntohl(__dt_tcphdr[S]->ack_seq);
	tcp_offset = __dt_tcp_offset[S];
	tcp_flags = __dt_tcp_flags[S];
	tcp_window = ntohs(__dt_tcphdr[S]->window);
	tcp_checksum = ntohs(__dt_tcphdr[S]->check);
	tcp_urgent = ntohs(__dt_tcphdr[S]->urg_ptr);
	tcp_hdr = __dt_tcphdr[S];
};

/* Tests a device's packet: a segment that belongs to its socket's connection. Resets that no connection has do not. */
inline int __dt_is_minisock[struct sock *s] = s->__sk_common.skc_state == 6 || s->__sk_common.skc_state == 12;
inline int __dt_tcp_is_sent[struct sk_buff *s] = s->sk != NULL &&
    (s->protocol == htons(0x0800) || s->protocol == htons(0x86dd)) && __dt_ip_protocol[s] == 6 &&
    s->sk->__sk_common.skc_dport == __dt_tcphdr[s]->dest &&
    (__dt_is_minisock[s->sk] || s->sk->sk_dst_cache == NULL || s->sk->sk_dst_cache->dev == s->dev);

/* Sent again: what takes up sequence numbers that were used before. The socket counts what is new after it is sent. */
inline int __dt_tcp_is_again[struct sk_buff *s] = !__dt_is_minisock[s->sk] &&
    (int32_t)(ntohl(__dt_tcphdr[s]->seq) - ((struct tcp_sock *)s->sk)->snd_nxt) < 0 &&
    ((__dt_tcp_flags[s] & (TH_SYN | TH_FIN)) != 0 ||
    s->len > s->transport_header - s->network_header + __dt_tcp_offset[s]);
inline struct __dt_tcp_at *__dt_tcp_sending[struct sk_buff *s] = __dt_tcp_at[s->sk,
    (int)s->sk->__sk_common.skc_state | (__dt_tcp_is_again[s] ? __DT_TCP_RETRANSMIT : 0)];

/* The answer to a packet that asked for a connection: a reset, its ends those of the packet in turn. */
struct __dt_tcp_refused;
inline struct __dt_tcp_refused *__dt_tcp_refused[struct sk_buff *s] = (struct __dt_tcp_refused *)s;
inline int __dt_tcp_is_syn[struct sk_buff *s] = s != NULL && (__dt_tcp_flags[s] & (TH_SYN | TH_ACK | TH_RST)) == TH_SYN;

translator ipinfo_t < struct __dt_tcp_refused *R > {
	ip_ver = __dt_ip_version[(struct sk_buff *)R];
	ip_plength = 20;
	ip_saddr = __dt_ip_daddr[(struct sk_buff *)R];
	ip_daddr = __dt_ip_saddr[(struct sk_buff *)R];
};

translator tcpinfo_t < struct __dt_tcp_refused *R > {
	tcp_sport = ntohs(__dt_tcphdr[(struct sk_buff *)R]->dest);
	tcp_dport = ntohs(__dt_tcphdr[(struct sk_buff *)R]->source);
	tcp_seq = 0;
	tcp_ack = ntohl(__dt_tcphdr[(struct sk_buff *)R]->seq) + 1;
	tcp_offset = 20;
	tcp_flags = TH_RST | TH_ACK;
	tcp_window = 0;
	tcp_checksum = 0;
	tcp_urgent = 0;
	tcp_hdr = NULL;
};

/* There is no connection. */
translator tcpsinfo_t < struct __dt_tcp_refused *R > {
	tcps_addr = 0;
	tcps_local = __dt_ip_daddr[(struct sk_buff *)R] == __dt_ip_saddr[(struct sk_buff *)R];
	tcps_active = 0;
	tcps_lport = ntohs(__dt_tcphdr[(struct sk_buff *)R]->dest);
	tcps_rport = ntohs(__dt_tcphdr[(struct sk_buff *)R]->source);
	tcps_laddr = __dt_ip_daddr[(struct sk_buff *)R];
	tcps_raddr = __dt_ip_saddr[(struct sk_buff *)R];
	tcps_state = TCP_STATE_CLOSED;
	tcps_iss = 0;
	tcps_irs = 0;
	tcps_suna = 0;
	tcps_smax = 0;
	tcps_snxt = 0;
	tcps_rack = 0;
	tcps_rnxt = 0;
	tcps_swnd = 0;
	tcps_snd_ws = 0;
	tcps_rwnd = 0;
	tcps_rcv_ws = 0;
	tcps_cwnd = 0;
	tcps_cwnd_ssthresh = 0;
	tcps_sack_fack = 0;
	tcps_sack_snxt = 0;
	tcps_rto = 0;
	tcps_mss = 0;
	tcps_retransmit = 0;
	tcps_rtt = 0;
	tcps_rtt_sd = 0;
};

/*
 * A segment that a device has received, before its socket is looked for: of the connection it tells the ends alone.
 */
inline struct tcphdr *__dt_tcphdr_at[struct sk_buff *s] = (struct tcphdr *)__dt_ip_payload[(struct iphdr *)s->data];
inline int __dt_tcp_is_received[struct sk_buff *s] = __dt_is_received[s, 6, sizeof (struct tcphdr)];

translator tcpinfo_t < struct tcphdr *H > {
	tcp_sport = ntohs(H->source);
	tcp_dport = ntohs(H->dest);
	tcp_seq = ntohl(H->seq);
	tcp_ack = ntohl(H->ack_seq);
	tcp_offset = (*((uint8_t *)H + 12) >> 4) * 4;
	tcp_flags = *((uint8_t *)H + 13);
	tcp_window = ntohs(H->window);
	tcp_checksum = ntohs(H->check);
	tcp_urgent = ntohs(H->urg_ptr);
	tcp_hdr = H;
};

struct __dt_tcp_receiving;
inline struct __dt_tcp_receiving *__dt_tcp_receiving[struct sk_buff *s] = (struct __dt_tcp_receiving *)s;
inline struct iphdr *__dt_tcp_ip_of[struct __dt_tcp_receiving *r] = (struct iphdr *)((struct sk_buff *)r)->data;

translator tcpsinfo_t < struct __dt_tcp_receiving *R > {
	tcps_addr = 0;
	tcps_local = (((struct sk_buff *)R)->dev->flags & 8) != 0;	/* IFF_LOOPBACK */
	tcps_active = 0;
	tcps_lport = ntohs(__dt_tcphdr_at[(struct sk_buff *)R]->dest);
	tcps_rport = ntohs(__dt_tcphdr_at[(struct sk_buff *)R]->source);
	tcps_laddr = xlate <ipinfo_t> (__dt_tcp_ip_of[R]).ip_daddr;
	tcps_raddr = xlate <ipinfo_t> (__dt_tcp_ip_of[R]).ip_saddr;
	tcps_state = TCP_STATE_IDLE;
	tcps_iss = 0;
	tcps_irs = 0;
	tcps_suna = 0;
	tcps_smax = 0;
	tcps_snxt = 0;
	tcps_rack = 0;
	tcps_rnxt = 0;
	tcps_swnd = 0;
	tcps_snd_ws = 0;
	tcps_rwnd = 0;
	tcps_rcv_ws = 0;
	tcps_cwnd = 0;
	tcps_cwnd_ssthresh = 0;
	tcps_sack_fack = 0;
	tcps_sack_snxt = 0;
	tcps_rto = 0;
	tcps_mss = 0;
	tcps_retransmit = 0;
	tcps_rtt = 0;
	tcps_rtt_sd = 0;
};
