/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tcpdrop.d: show the TCP segments that the kernel drops, and why.
 *
 * A segment that comes from the network is dropped in the context of any process, so there is no process to choose. Not shown are
 * fragments of IP without the header of the segment, IPv6 with extension headers, and what a network device drops.
 *
 * option: -P PORT=0 | port | show only segments to or from this port
 * option: -s | stacks | show also the stack of the kernel that drops the segment
 * column: SADDR, SPORT | the address and port that the segment comes from
 * column: DADDR, DPORT | where it goes to
 * column: STATE | the state of the connection here; - if the segment belongs to none, or the kernel does not say
 * column: FLAGS | those of the segment's header
 * column: REASON | the kernel's name for the reason
 * column: WHERE | the address in the kernel
 * example: tcpdrop.d | which segments get lost here, and why
 * example: tcpdrop.d -s -P 443 -t 60 | a minute of a web server, with stacks
 */

/* The header of IP, which devices deliver at the beginning of the data. */
inline uintptr_t ip_header[struct sk_buff *s] = s->network_header ? (uintptr_t)s->head + s->network_header : (uintptr_t)s->data;
inline struct iphdr *v4[struct sk_buff *s] = (struct iphdr *)ip_header[s];
inline struct ipv6hdr *v6[struct sk_buff *s] = (struct ipv6hdr *)ip_header[s];
/* What the kernel has of a segment at hand: a header may be cut off. */
inline int is_there[struct sk_buff *s, uintptr_t end] = end <= (uintptr_t)s->head + s->tail;
inline int is_tcp4[struct sk_buff *s] = ntohs(s->protocol) == 0x800 && is_there[s, ip_header[s] + sizeof (struct iphdr)] &&
    v4[s]->protocol == 6 && (ntohs(v4[s]->frag_off) & 0x1fff) == 0;
inline int is_tcp6[struct sk_buff *s] = ntohs(s->protocol) == 0x86dd && is_there[s, ip_header[s] + sizeof (struct ipv6hdr)] &&
    v6[s]->nexthdr == 6;

BEGIN
/heading/
{
	printf("%-25s %-5s %-25s %-5s %-18s %-15s %-40s %s\n", "SADDR", "SPORT", "DADDR", "DPORT", "STATE", "FLAGS", "REASON",
	    "WHERE");
}

sdt:skb::kfree_skb
{
	this->tcp = is_tcp4[args[0]] ? ip_header[args[0]] + (*(uint8_t *)v4[args[0]] & 0xf) * 4 :
	    is_tcp6[args[0]] ? ip_header[args[0]] + sizeof (struct ipv6hdr) : 0;
}

sdt:skb::kfree_skb
/this->tcp && is_there[args[0], this->tcp + sizeof (struct tcphdr)] &&
    (!port || ntohs(*(uint16_t *)this->tcp) == port || ntohs(*(uint16_t *)(this->tcp + 2)) == port)/
{
	this->bits = *(uint8_t *)(this->tcp + 13);
	this->flags = (this->bits & TH_SYN ? "|SYN" : "") + (this->bits & TH_FIN ? "|FIN" : "") + (this->bits & TH_RST ? "|RST" : "") +
	    (this->bits & TH_PUSH ? "|PSH" : "") + (this->bits & TH_ACK ? "|ACK" : "") + (this->bits & TH_URG ? "|URG" : "");
	/* The socket of what was received is an argument from Linux 6.11 on. */
	this->socket = arg3 ? (struct sock *)arg3 : args[0]->sk;
	this->state = this->socket != NULL ? (int)this->socket->__sk_common.skc_state : 0;
	printf("%-25s %-5d %-25s %-5d %-18s %-15s %-40s %a\n",
	    is_tcp4[args[0]] ? inet_ntoa((ipaddr_t *)&v4[args[0]]->saddr) : inet_ntoa6((struct in6_addr *)&v6[args[0]]->saddr),
	    ntohs(*(uint16_t *)this->tcp),
	    is_tcp4[args[0]] ? inet_ntoa((ipaddr_t *)&v4[args[0]]->daddr) : inet_ntoa6((struct in6_addr *)&v6[args[0]]->daddr),
	    ntohs(*(uint16_t *)(this->tcp + 2)),
	    this->state == 12 ? "state-syn-received" : this->state ? tcp_state_string[this->state] : "-",
	    this->bits & 0x3f ? substr(this->flags, 1) : "-", args[2], args[1]);
	stacks ? stack() : 0;
}
