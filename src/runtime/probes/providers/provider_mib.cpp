// SPDX-License-Identifier: Apache-2.0
// mib:vmlinux::COUNTER: fires when one of the network's counters (RFC 4113, RFC 4022, /proc/net/snmp) grows; arg0 is by
// how much. Most of the kernel's counters have no event: those that have one, or follow from the states of sockets, are
// here.
#include "runtime/probes/providers/stable_provider.h"

// States of TCP, by number: a program may give the names another meaning.
#define ESTABLISHED "1"
#define SYN_SENT "2"
#define SYN_RECEIVED "3"
#define CLOSED "7"
#define CLOSE_WAIT "8"
#define LISTEN "10"

#define STATE(condition) \
  "rawtp:::inet_sock_set_state /args[0]->sk_protocol == 6 && " condition "/ { (uint64_t)1; }", "inet_sock_set_state", 3
#define OF_UDP "args[0]->sk_protocol == 17 && args[1] >= 0"
#define PEEKED "2"

namespace dtrace::runtime {
namespace {

constexpr StableProbe kProbes[] = {
    {"tcpActiveOpens", "", STATE("args[1] == " CLOSED " && args[2] == " SYN_SENT)},
    {"tcpPassiveOpens", "", STATE("args[1] == " LISTEN " && args[2] == " SYN_RECEIVED)},
    {"tcpAttemptFails", "", STATE("(args[1] == " SYN_SENT " || args[1] == " SYN_RECEIVED ") && args[2] == " CLOSED)},
    {"tcpEstabResets", "", STATE("(args[1] == " ESTABLISHED " || args[1] == " CLOSE_WAIT ") && args[2] == " CLOSED)},
    // A packet may hold several segments.
    {"tcpRetransSegs", "",
     "rawtp:::tcp_retransmit_skb { (uint64_t)((struct tcp_skb_cb *)args[1]->cb)->tcp_gso_segs; }"
     " rawtp:::tcp_retransmit_synack { (uint64_t)1; }",
     "tcp_retransmit_skb", 2},
    // Before 6.10 the kernel does not report resets without a socket.
    {"tcpOutRsts", "", "rawtp:::tcp_send_reset { (uint64_t)1; }", "tcp_send_reset", 3},
    // In the thread that sends or receives. A datagram that is only peeked at has not been received.
    {"udpOutDatagrams", "", "rawtp:::sock_send_length /" OF_UDP "/ { (uint64_t)1; }", "sock_send_length", 3},
    {"udpInDatagrams", "", "rawtp:::sock_recv_length /" OF_UDP " && !(args[2] & " PEEKED ")/ { (uint64_t)1; }",
     "sock_recv_length", 3},
    {"udpNoPorts", "",
     "rawtp:::kfree_skb /args[2] == SKB_DROP_REASON_NO_SOCKET && __dt_is_ip[args[0]] && __dt_ip_protocol[args[0]] == "
     "17/"
     " { (uint64_t)1; }",
     "kfree_skb", 3},
    // The socket's buffer is full: ENOMEM.
    {"udpInOverflows", "", "rawtp:::udp_fail_queue_rcv_skb /args[0] == -12/ { (uint64_t)1; }", "udp_fail_queue_rcv_skb",
     2},
};

constexpr AbsentProbe kAbsent[] = {
    {"*",
     "the kernel has no event for this counter: its value is in /proc/net/snmp or /proc/net/netstat; packets are "
     "ip:::send, ip:::receive, tcp:::send and their like"},
};

}  // namespace

std::unique_ptr<Provider> make_mib_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("mib", kProbes, kernel, kAbsent);
}

}  // namespace dtrace::runtime
