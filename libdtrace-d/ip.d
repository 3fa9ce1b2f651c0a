/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ip.d - packets: what the network's providers say of them. Addresses are text, ports and lengths in the machine's order.
 */
typedef struct pktinfo {
	uintptr_t pkt_addr;	/* the struct sk_buff, 0: not at hand */
} pktinfo_t;

translator pktinfo_t < struct sk_buff *S > {
	pkt_addr = (uintptr_t)S;
};

typedef struct ipinfo {
	uint8_t ip_ver;		/* 4 or 6 */
	uint32_t ip_plength;	/* bytes behind the header */
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

/* Headers of a packet, where the kernel has noted where they begin. */
inline struct iphdr *__dt_iphdr[struct sk_buff *s] = (struct iphdr *)(s->head + s->network_header);
inline struct ipv6hdr *__dt_ipv6hdr[struct sk_buff *s] = (struct ipv6hdr *)(s->head + s->network_header);
inline uint8_t __dt_ip_version[struct sk_buff *s] = *(uint8_t *)(s->head + s->network_header) >> 4;

/* The protocol inside; of IPv6 what follows the header at once. */
inline int __dt_ip_protocol[struct sk_buff *s] = __dt_ip_version[s] == 4 ? __dt_iphdr[s]->protocol :
    __dt_ip_version[s] == 6 ? __dt_ipv6hdr[s]->nexthdr : -1;
inline string __dt_ip_saddr[struct sk_buff *s] =
    __dt_ip_version[s] == 4 ? inet_ntoa((ipaddr_t *)&__dt_iphdr[s]->saddr) :
    __dt_ip_version[s] == 6 ? inet_ntoa6((struct in6_addr *)&__dt_ipv6hdr[s]->saddr) : "<unknown>";
inline string __dt_ip_daddr[struct sk_buff *s] =
    __dt_ip_version[s] == 4 ? inet_ntoa((ipaddr_t *)&__dt_iphdr[s]->daddr) :
    __dt_ip_version[s] == 6 ? inet_ntoa6((struct in6_addr *)&__dt_ipv6hdr[s]->daddr) : "<unknown>";

translator ipinfo_t < struct sk_buff *S > {
	ip_ver = __dt_ip_version[S];
	ip_plength = __dt_ip_version[S] == 4 ?
	    (uint32_t)ntohs(__dt_iphdr[S]->tot_len) - (uint32_t)(*(uint8_t *)__dt_iphdr[S] & 15) * 4 :
	    __dt_ip_version[S] == 6 ? (uint32_t)ntohs(__dt_ipv6hdr[S]->payload_len) : 0;
	ip_saddr = __dt_ip_saddr[S];
	ip_daddr = __dt_ip_daddr[S];
};

inline int __dt_is_ip[struct sk_buff *s] = s->protocol == htons(0x0800) || s->protocol == htons(0x86dd);
inline uint8_t __dt_version_of[struct iphdr *h] = *(uint8_t *)h >> 4;
inline uint32_t __dt_ihl_of[struct iphdr *h] = (uint32_t)(*(uint8_t *)h & 15) * 4;
inline int __dt_is_v4[struct iphdr *h] = __dt_version_of[h] == 4;
inline int __dt_is_v6[struct ipv6hdr *h] = *(uint8_t *)h >> 4 == 6;

/* What follows the header, and whether that is a packet of a protocol: of a fragmented one the first. */
inline uintptr_t __dt_ip_payload[struct iphdr *h] = (uintptr_t)h + (__dt_is_v4[h] ? __dt_ihl_of[h] : 40);
inline int __dt_ip_begins[struct iphdr *h, int protocol] = __dt_is_v4[h] ?
    h->protocol == protocol && (ntohs(h->frag_off) & 0x1fff) == 0 : ((struct ipv6hdr *)h)->nexthdr == protocol;

/* From a device, not for another machine's address (3), and with its header in one piece. */
inline int __dt_is_received[struct sk_buff *s, int protocol, int header_bytes] = __dt_is_ip[s] && s->pkt_type != 3 &&
    __dt_ip_begins[(struct iphdr *)s->data, protocol] &&
    (uintptr_t)s->head + s->tail - __dt_ip_payload[(struct iphdr *)s->data] >= (uintptr_t)header_bytes;

/* From the header, of either version. */
translator ipinfo_t < struct iphdr *H > {
	ip_ver = __dt_version_of[H];
	ip_plength = __dt_is_v4[H] ? (uint32_t)ntohs(H->tot_len) - __dt_ihl_of[H] :
	    (uint32_t)ntohs(((struct ipv6hdr *)H)->payload_len);
	ip_saddr = __dt_is_v4[H] ? inet_ntoa((ipaddr_t *)&H->saddr) :
	    inet_ntoa6((struct in6_addr *)&((struct ipv6hdr *)H)->saddr);
	ip_daddr = __dt_is_v4[H] ? inet_ntoa((ipaddr_t *)&H->daddr) :
	    inet_ntoa6((struct in6_addr *)&((struct ipv6hdr *)H)->daddr);
};

typedef struct ifinfo {
	string if_name;
	int8_t if_local;	/* the loopback interface */
	netstackid_t if_ipstack;	/* inode of the network namespace */
	uintptr_t if_addr;	/* the struct net_device */
} ifinfo_t;

translator ifinfo_t < struct net_device *D > {
	if_name = D == NULL ? "<null>" : stringof(D->name);
	if_local = D != NULL && (D->flags & 8) != 0;
	if_ipstack = D == NULL ? 0 : (netstackid_t)D->nd_net.net->ns.inum;
	if_addr = (uintptr_t)D;
};

inline string __dt_protocol_name[int p] = p == 6 ? "TCP" : p == 17 ? "UDP" : p == 1 ? "ICMP" : p == 58 ? "ICMPv6" :
    p == 0 ? "IP" : p == 2 ? "IGMP" : p == 8 ? "EGP" : p == 41 ? "IPv6" : p == 43 ? "ROUTE" : p == 50 ? "ESP" :
    p == 51 ? "AH" : p == 89 ? "OSPF" : p == 132 ? "SCTP" : p == 255 ? "RAW" : lltostr(p);

inline int IPH_DF = 4;
inline int IPH_MF = 2;

/* 0 and "<null>" where the packet is of the other version. */
typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;	/* bytes */
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;	/* IPH_* */
	uint16_t ipv4_offset;	/* bytes */
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;	/* as in the packet */
	ipaddr_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	struct iphdr *ipv4_hdr;
} ipv4info_t;

translator ipv4info_t < struct iphdr *H > {
	ipv4_ver = __dt_is_v4[H] ? 4 : 0;
	ipv4_ihl = __dt_is_v4[H] ? __dt_ihl_of[H] : 0;
	ipv4_tos = __dt_is_v4[H] ? H->tos : 0;
	ipv4_length = __dt_is_v4[H] ? ntohs(H->tot_len) : 0;
	ipv4_ident = __dt_is_v4[H] ? ntohs(H->id) : 0;
	ipv4_flags = __dt_is_v4[H] ? ntohs(H->frag_off) >> 12 : 0;
	ipv4_offset = __dt_is_v4[H] ? (ntohs(H->frag_off) & 0x1fff) * 8 : 0;
	ipv4_ttl = __dt_is_v4[H] ? H->ttl : 0;
	ipv4_protocol = __dt_is_v4[H] ? H->protocol : 0;
	ipv4_protostr = __dt_is_v4[H] ? __dt_protocol_name[H->protocol] : "<null>";
	ipv4_checksum = __dt_is_v4[H] ? ntohs(H->check) : 0;
	ipv4_src = __dt_is_v4[H] ? H->saddr : 0;
	ipv4_dst = __dt_is_v4[H] ? H->daddr : 0;
	ipv4_saddr = __dt_is_v4[H] ? inet_ntoa((ipaddr_t *)&H->saddr) : "<null>";
	ipv4_daddr = __dt_is_v4[H] ? inet_ntoa((ipaddr_t *)&H->daddr) : "<null>";
	ipv4_hdr = __dt_is_v4[H] ? H : NULL;
};

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	in6_addr_t *ipv6_src;
	in6_addr_t *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	struct ipv6hdr *ipv6_hdr;
} ipv6info_t;

translator ipv6info_t < struct ipv6hdr *H > {
	ipv6_ver = __dt_is_v6[H] ? 6 : 0;
	ipv6_tclass = __dt_is_v6[H] ? (uint8_t)(ntohl(*(uint32_t *)H) >> 20) : 0;
	ipv6_flow = __dt_is_v6[H] ? ntohl(*(uint32_t *)H) & 0xfffff : 0;
	ipv6_plen = __dt_is_v6[H] ? ntohs(H->payload_len) : 0;
	ipv6_nexthdr = __dt_is_v6[H] ? H->nexthdr : 0;
	ipv6_nextstr = __dt_is_v6[H] ? __dt_protocol_name[H->nexthdr] : "<null>";
	ipv6_hlim = __dt_is_v6[H] ? H->hop_limit : 0;
	ipv6_src = __dt_is_v6[H] ? (in6_addr_t *)&H->saddr : NULL;
	ipv6_dst = __dt_is_v6[H] ? (in6_addr_t *)&H->daddr : NULL;
	ipv6_saddr = __dt_is_v6[H] ? inet_ntoa6((struct in6_addr *)&H->saddr) : "<null>";
	ipv6_daddr = __dt_is_v6[H] ? inet_ntoa6((struct in6_addr *)&H->daddr) : "<null>";
	ipv6_hdr = __dt_is_v6[H] ? H : NULL;
};
