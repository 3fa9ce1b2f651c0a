// SPDX-License-Identifier: Apache-2.0
// tcp:vmlinux::NAME: the life of connections, from either side.
//
// The kernel tells each change of a socket's state, before the socket shows it; other protocols share the event. There
// is no packet at hand then: what the arguments say of it is what the socket knows (tcp.d). The state alone decides
// whether a process opens a connection (SYN_SENT) or is asked for one (SYN_RECEIVED).
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>

#include "runtime/probes/providers/stable_provider.h"

// Numbers of the kernel in the texts below. By number there, because a program may give the names another meaning.
#define ESTABLISHED "1"
#define SYN_SENT "2"
#define SYN_RECEIVED "3"
#define CLOSED "7"
#define REFUSED "111"
#define IS_TCP "args[0]->sk_protocol == 6"

namespace dtrace::runtime {
namespace {

static_assert(TCP_ESTABLISHED == 1 && TCP_SYN_SENT == 2 && TCP_SYN_RECV == 3 && TCP_CLOSE == 7);
static_assert(ECONNREFUSED == 111 && IPPROTO_TCP == 6);

constexpr std::string_view kTypes = "pktinfo_t *, csinfo_t *, ipinfo_t *, tcpsinfo_t *, tcpinfo_t *";

constexpr StableProbe kProbes[] = {
    {"state-change", ", csinfo_t *, , tcpsinfo_t *, , tcplsinfo_t *",
     "rawtp:::inet_sock_set_state /" IS_TCP " && args[1] != args[2]/"
     " { 0; (struct tcp_sock *)args[0]; 0; __dt_tcp_at[args[0], args[2]]; 0; args[1]; }",
     "inet_sock_set_state"},
    // The socket changes its state before it has a local port; tcp_connect() is called after that.
    {.name = "connect-request",
     .types = kTypes,
     .text = "fbt:vmlinux:tcp_connect:entry"
             " { (struct sk_buff *)0; (struct tcp_sock *)args[0]; __dt_tcp_sent[args[0]];"
             "   __dt_tcp_at[args[0], " SYN_SENT " | __DT_TCP_ACTIVE]; __dt_tcp_sent[args[0]]; }",
     .function = "tcp_connect"},
    {"connect-request", kTypes,
     "rawtp:::inet_sock_set_state /" IS_TCP " && args[2] == " SYN_SENT "/"
     " { (struct sk_buff *)0; (struct tcp_sock *)args[0]; __dt_tcp_sent[args[0]];"
     "   __dt_tcp_at[args[0], " SYN_SENT " | __DT_TCP_ACTIVE]; __dt_tcp_sent[args[0]]; }",
     "inet_sock_set_state"},
    {"connect-established", kTypes,
     "rawtp:::inet_sock_set_state /" IS_TCP " && args[1] == " SYN_SENT " && args[2] == " ESTABLISHED "/"
     " { (struct sk_buff *)0; (struct tcp_sock *)args[0]; __dt_tcp_got[args[0]];"
     "   __dt_tcp_at[args[0], " ESTABLISHED " | __DT_TCP_ACTIVE]; __dt_tcp_got[args[0]]; }",
     "inet_sock_set_state"},
    // By the peer, or by a router on the way.
    {"connect-refused", kTypes,
     "rawtp:::inet_sock_set_state"
     " /" IS_TCP " && args[1] == " SYN_SENT " && args[2] == " CLOSED " && args[0]->sk_err == " REFUSED "/"
     " { (struct sk_buff *)0; (struct tcp_sock *)args[0]; __dt_tcp_got[args[0]];"
     "   __dt_tcp_at[args[0], " CLOSED " | __DT_TCP_ACTIVE]; __dt_tcp_got[args[0]]; }",
     "inet_sock_set_state"},
    {"accept-established", kTypes,
     "rawtp:::inet_sock_set_state /" IS_TCP " && args[1] == " SYN_RECEIVED " && args[2] == " ESTABLISHED "/"
     " { (struct sk_buff *)0; (struct tcp_sock *)args[0]; __dt_tcp_got[args[0]];"
     "   __dt_tcp_at[args[0], " ESTABLISHED "]; __dt_tcp_got[args[0]]; }",
     "inet_sock_set_state"},
    // A SYN to a port without a listener, which is answered with a reset. Before 6.10 tcp_send_reset does not fire for
    // resets without a socket; kfree_skb with the reason NO_SOCKET does (5.17).
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
    // What a device has received, before the kernel looks for its socket: every segment, and none knows a connection.
    {"receive", kTypes,
     "rawtp:::netif_receive_skb /__dt_tcp_is_received[args[0]]/"
     " { args[0]; (struct tcp_sock *)0; (struct iphdr *)args[0]->data; __dt_tcp_receiving[args[0]];"
     "   __dt_tcphdr_at[args[0]]; }",
     "netif_receive_skb"},
};

}  // namespace

std::unique_ptr<Provider> make_tcp_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("tcp", kProbes, kernel);
}

}  // namespace dtrace::runtime
