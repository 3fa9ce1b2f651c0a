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
