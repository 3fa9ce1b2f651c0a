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
