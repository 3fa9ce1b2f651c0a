/* SPDX-License-Identifier: Apache-2.0 */
/*
 * udp.d - datagrams: udpsinfo_t, udpinfo_t.
 */

/* The ends as the datagram has them: a socket need not be connected. */
typedef struct udpsinfo {
	uintptr_t udps_addr;	/* the struct sock, 0: not known */
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;	/* bytes, header and data */
	uint16_t udp_checksum;	/* of what a device is to complete, a part */
	struct udphdr *udp_hdr;
} udpinfo_t;

translator udpinfo_t < struct udphdr *H > {
	udp_sport = ntohs(H->source);
	udp_dport = ntohs(H->dest);
	udp_length = ntohs(H->len);
	udp_checksum = ntohs(H->check);
	udp_hdr = H;
};

/* On its way to a device the IP header is where the kernel has noted it; on its way from one, at the data's beginning. */
inline struct udphdr *__dt_udphdr[struct sk_buff *s] = (struct udphdr *)__dt_ip_payload[__dt_iphdr[s]];
inline struct udphdr *__dt_udphdr_at[struct sk_buff *s] = (struct udphdr *)__dt_ip_payload[(struct iphdr *)s->data];

inline int __dt_udp_is_sent[struct sk_buff *s] = s->sk != NULL && __dt_is_ip[s] &&
    s->sk->sk_protocol == 17 && __dt_ip_begins[__dt_iphdr[s], 17] &&
    ((struct inet_sock *)s->sk)->inet_sport == __dt_udphdr[s]->source &&
    (s->sk->sk_dst_cache == NULL || s->sk->sk_dst_cache->dev == s->dev);
inline int __dt_udp_is_received[struct sk_buff *s] = __dt_is_received[s, 17, sizeof (struct udphdr)];

struct __dt_udp_sending;
struct __dt_udp_receiving;
inline struct __dt_udp_sending *__dt_udp_sending[struct sk_buff *s] = (struct __dt_udp_sending *)s;
inline struct __dt_udp_receiving *__dt_udp_receiving[struct sk_buff *s] = (struct __dt_udp_receiving *)s;

translator udpsinfo_t < struct __dt_udp_sending *P > {
	udps_addr = (uintptr_t)((struct sk_buff *)P)->sk;
	udps_lport = ntohs(__dt_udphdr[(struct sk_buff *)P]->source);
	udps_rport = ntohs(__dt_udphdr[(struct sk_buff *)P]->dest);
	udps_laddr = __dt_ip_saddr[(struct sk_buff *)P];
	udps_raddr = __dt_ip_daddr[(struct sk_buff *)P];
};

translator udpsinfo_t < struct __dt_udp_receiving *P > {
	udps_addr = 0;
	udps_lport = ntohs(__dt_udphdr_at[(struct sk_buff *)P]->dest);
	udps_rport = ntohs(__dt_udphdr_at[(struct sk_buff *)P]->source);
	udps_laddr = xlate <ipinfo_t> ((struct iphdr *)((struct sk_buff *)P)->data).ip_daddr;
	udps_raddr = xlate <ipinfo_t> ((struct iphdr *)((struct sk_buff *)P)->data).ip_saddr;
};
