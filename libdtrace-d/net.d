/* SPDX-License-Identifier: Apache-2.0 */
/*
 * net.d - address families, socket types and protocols, and how a connection is identified.
 */
inline int AF_UNSPEC = 0;
inline int AF_UNIX = 1;
inline int AF_LOCAL = 1;
inline int AF_INET = 2;
inline int AF_INET6 = 10;
inline int AF_NETLINK = 16;
inline int AF_PACKET = 17;
inline int AF_VSOCK = 40;
inline int SOCK_STREAM = 1;
inline int SOCK_DGRAM = 2;
inline int SOCK_RAW = 3;
inline int SOCK_SEQPACKET = 5;
inline int IPPROTO_IP = 0;
inline int IPPROTO_ICMP = 1;
inline int IPPROTO_IGMP = 2;
inline int IPPROTO_TCP = 6;
inline int IPPROTO_UDP = 17;
inline int IPPROTO_IPV6 = 41;
inline int IPPROTO_ROUTING = 43;
inline int IPPROTO_ESP = 50;
inline int IPPROTO_AH = 51;
inline int IPPROTO_ICMPV6 = 58;
inline int IPPROTO_OSPF = 89;
inline int IPPROTO_SCTP = 132;
inline int IPPROTO_RAW = 255;
inline int ARPHRD_ETHER = 1;
inline int ARPHRD_INFINIBAND = 32;

/*
 * The two ends of a connection, as text: addresses, and "ipv4" or "ipv6". Libraries of programs translate to it too.
 */
typedef struct conninfo {
	string ci_local;
	string ci_remote;
	string ci_protocol;
} conninfo_t;

/* Not AF_INET6 alone: sockets of that family serve IPv4 as well, with addresses ::ffff:a.b.c.d. */
translator conninfo_t < struct sock *S > {
	ci_local = S->__sk_common.skc_family == AF_INET ? inet_ntoa((ipaddr_t *)&S->__sk_common.skc_rcv_saddr) :
	    S->__sk_common.skc_family == AF_INET6 ? inet_ntoa6((struct in6_addr *)&S->__sk_common.skc_v6_rcv_saddr) : "<unknown>";
	ci_remote = S->__sk_common.skc_family == AF_INET ? inet_ntoa((ipaddr_t *)&S->__sk_common.skc_daddr) :
	    S->__sk_common.skc_family == AF_INET6 ? inet_ntoa6((struct in6_addr *)&S->__sk_common.skc_v6_daddr) : "<unknown>";
	ci_protocol = S->__sk_common.skc_family == AF_INET ? "ipv4" :
	    S->__sk_common.skc_family == AF_INET6 ? "ipv6" : "<unknown>";
};

/*
 * Identity of a connection. cs_cid is the same in all probes of one connection; cs_pid is the process that owns it, -1 if
 * that is not known.
 */
typedef struct csinfo {
	uintptr_t cs_addr;	/* the struct sock */
	uint64_t cs_cid;	/* socket cookie, or the address of the socket */
	pid_t cs_pid;
	zoneid_t cs_zoneid;
} csinfo_t;

translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = S == NULL ? 0 : (uint64_t)S->__sk_common.skc_cookie.counter != 0 ?
	    (uint64_t)S->__sk_common.skc_cookie.counter : (uint64_t)S;
	cs_pid = -1;
	cs_zoneid = 0;
};

/* Sockets of IPv6 serve IPv4 too: with addresses ::ffff:a.b.c.d, and both kinds filled in. */
inline int __dt_is_mapped[struct in6_addr *a] = a->in6_u.u6_addr32[0] == 0 && a->in6_u.u6_addr32[1] == 0 &&
    a->in6_u.u6_addr32[2] == 0xffff0000;
inline int __dt_sock_is_v4[struct sock *s] = s->__sk_common.skc_family == AF_INET ||
    (s->__sk_common.skc_family == AF_INET6 && __dt_is_mapped[(struct in6_addr *)&s->__sk_common.skc_v6_daddr]);

/* Its ends as text, in the family of its packets. */
inline string __dt_sock_laddr[struct sock *s] =
    __dt_sock_is_v4[s] ? inet_ntoa((ipaddr_t *)&s->__sk_common.skc_rcv_saddr) :
    s->__sk_common.skc_family == AF_INET6 ? inet_ntoa6((struct in6_addr *)&s->__sk_common.skc_v6_rcv_saddr) : "<unknown>";
inline string __dt_sock_raddr[struct sock *s] =
    __dt_sock_is_v4[s] ? inet_ntoa((ipaddr_t *)&s->__sk_common.skc_daddr) :
    s->__sk_common.skc_family == AF_INET6 ? inet_ntoa6((struct in6_addr *)&s->__sk_common.skc_v6_daddr) : "<unknown>";

/* What is closed has given back its port, but knows it still. */
inline uint16_t __dt_sock_lport[struct sock *s] = s->__sk_common.skc_num != 0 ? s->__sk_common.skc_num :
    s->__sk_common.skc_state == 6 || s->__sk_common.skc_state == 12 ? 0 : ntohs(((struct inet_sock *)s)->inet_sport);

/* One address at both ends, or one that never leaves the machine: 127.0.0.0/8. */
inline int __dt_sock_is_local[struct sock *s] = __dt_sock_is_v4[s] ?
    s->__sk_common.skc_daddr == s->__sk_common.skc_rcv_saddr || (s->__sk_common.skc_daddr & 0xff) == 127 :
    s->__sk_common.skc_v6_daddr.in6_u.u6_addr32[0] == s->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[0] &&
    s->__sk_common.skc_v6_daddr.in6_u.u6_addr32[1] == s->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[1] &&
    s->__sk_common.skc_v6_daddr.in6_u.u6_addr32[2] == s->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[2] &&
    s->__sk_common.skc_v6_daddr.in6_u.u6_addr32[3] == s->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[3];

/* The address in a struct sockaddr. */
inline string __dt_sockaddr_text[uintptr_t a] = *(uint16_t *)a == AF_INET ? inet_ntoa((ipaddr_t *)(a + 4)) :
    *(uint16_t *)a == AF_INET6 ? inet_ntoa6((struct in6_addr *)(a + 8)) : "<unknown>";

/* Ends of a connection as a server has them: the address of its client; arg3 is its own. */
struct __dt_peer;
translator conninfo_t < struct __dt_peer *P > {
	ci_local = __dt_sockaddr_text[arg3];
	ci_remote = __dt_sockaddr_text[(uintptr_t)P];
	ci_protocol = *(uint16_t *)P == AF_INET ? "ipv4" : *(uint16_t *)P == AF_INET6 ? "ipv6" : "<unknown>";
};
