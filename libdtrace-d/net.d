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
	cs_cid = (uint64_t)S->__sk_common.skc_cookie.counter != 0 ?
	    (uint64_t)S->__sk_common.skc_cookie.counter : (uint64_t)S;
	cs_pid = -1;
	cs_zoneid = 0;
};
