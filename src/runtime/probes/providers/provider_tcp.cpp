// SPDX-License-Identifier: Apache-2.0
// tcp:vmlinux::NAME: the life of connections, from either side.
//
// The kernel tells each change of a socket's state, before the socket shows it; other protocols share the event. There
// is no packet at hand then: what the arguments say of it is what the socket knows (tcp.d). The state alone decides
// whether a process opens a connection (SYN_SENT) or is asked for one (SYN_RECEIVED).
#include "runtime/probes/providers/stable_provider.h"

namespace dtrace {
namespace {

constexpr std::string_view kTypes = "pktinfo_t *, csinfo_t *, ipinfo_t *, tcpsinfo_t *, tcpinfo_t *";

constexpr StableProbe kProbes[] = {
    {"state-change", ", csinfo_t *, , tcpsinfo_t *, , tcplsinfo_t *",
     "rawtp:::inet_sock_set_state /args[0]->sk_protocol == 6 && args[1] != args[2]/"
     " { 0; (struct tcp_sock *)args[0]; 0; __dt_tcp_at[args[0], args[2]]; 0; args[1]; }",
     "inet_sock_set_state"},
    // The socket changes its state before it has a local port; tcp_connect() is called after that.
    {.name = "connect-request",
     .types = kTypes,
     .text = "fbt:vmlinux:tcp_connect:entry"
             " { (struct sk_buff *)0; (struct tcp_sock *)args[0]; __dt_tcp_sent[args[0]];"
             "   __dt_tcp_at[args[0], 2 | __DT_TCP_ACTIVE]; __dt_tcp_sent[args[0]]; }",
     .function = "tcp_connect"},
    {"connect-request", kTypes,
     "rawtp:::inet_sock_set_state /args[0]->sk_protocol == 6 && args[2] == 2/"
     " { (struct sk_buff *)0; (struct tcp_sock *)args[0]; __dt_tcp_sent[args[0]];"
     "   __dt_tcp_at[args[0], 2 | __DT_TCP_ACTIVE]; __dt_tcp_sent[args[0]]; }",
     "inet_sock_set_state"},
    {"connect-established", kTypes,
     "rawtp:::inet_sock_set_state /args[0]->sk_protocol == 6 && args[1] == 2 && args[2] == 1/"
     " { (struct sk_buff *)0; (struct tcp_sock *)args[0]; __dt_tcp_got[args[0]];"
     "   __dt_tcp_at[args[0], 1 | __DT_TCP_ACTIVE]; __dt_tcp_got[args[0]]; }",
     "inet_sock_set_state"},
    // By the peer, or by a router on the way. 111: ECONNREFUSED.
    {"connect-refused", kTypes,
     "rawtp:::inet_sock_set_state"
     " /args[0]->sk_protocol == 6 && args[1] == 2 && args[2] == 7 && args[0]->sk_err == 111/"
     " { (struct sk_buff *)0; (struct tcp_sock *)args[0]; __dt_tcp_got[args[0]];"
     "   __dt_tcp_at[args[0], 7 | __DT_TCP_ACTIVE]; __dt_tcp_got[args[0]]; }",
     "inet_sock_set_state"},
    {"accept-established", kTypes,
     "rawtp:::inet_sock_set_state /args[0]->sk_protocol == 6 && args[1] == 3 && args[2] == 1/"
     " { (struct sk_buff *)0; (struct tcp_sock *)args[0]; __dt_tcp_got[args[0]];"
     "   __dt_tcp_at[args[0], 1]; __dt_tcp_got[args[0]]; }",
     "inet_sock_set_state"},
    // What is answered with a reset: a SYN to a port that nobody listens at. Before 6.10 the kernel does not tell of
    // resets without a socket; what it drops for want of one it does (5.17).
    {"accept-refused", kTypes,
     "rawtp:::tcp_send_reset /__dt_tcp_is_syn[(struct sk_buff *)args[1]]/"
     " { (struct sk_buff *)args[1]; (struct tcp_sock *)0; __dt_tcp_refused[(struct sk_buff *)args[1]];"
     "   __dt_tcp_refused[(struct sk_buff *)args[1]]; __dt_tcp_refused[(struct sk_buff *)args[1]]; }",
     "tcp_send_reset", 3},
    {"accept-refused", kTypes,
     "rawtp:::kfree_skb /args[2] == SKB_DROP_REASON_NO_SOCKET && __dt_ip_protocol[args[0]] == 6 &&"
     " __dt_tcp_is_syn[args[0]]/"
     " { args[0]; (struct tcp_sock *)0; __dt_tcp_refused[args[0]]; __dt_tcp_refused[args[0]];"
     "   __dt_tcp_refused[args[0]]; }",
     "kfree_skb", 3},
    // What a connection's socket gives to a device: the one that its route leads to, not those below that.
    {"send", kTypes,
     "rawtp:::net_dev_queue /__dt_tcp_is_sent[args[0]]/"
     " { args[0]; (struct tcp_sock *)args[0]->sk; args[0]; __dt_tcp_sending[args[0]]; args[0]; }",
     "net_dev_queue"},
};

}  // namespace

std::unique_ptr<Provider> make_tcp_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("tcp", kProbes, kernel);
}

}  // namespace dtrace
