// SPDX-License-Identifier: Apache-2.0
// tcp:vmlinux::NAME: the life of connections, from either side.
//
// The kernel tells each change of a socket's state, before the socket shows it; other protocols share the event. There
// is no packet at hand then: what the arguments say of it is what the socket knows (tcp.d). The state alone decides
// whether a process opens a connection (SYN_SENT) or is asked for one (SYN_RECEIVED).
#include "runtime/providers/stable_provider.h"

namespace dtrace {
namespace {

constexpr std::string_view kTypes = "pktinfo_t *, csinfo_t *, ipinfo_t *, tcpsinfo_t *, tcpinfo_t *";

constexpr StableProbe kProbes[] = {
    {"state-change", ", csinfo_t *, , tcpsinfo_t *, , tcplsinfo_t *",
     "rawtp:::inet_sock_set_state /args[0]->sk_protocol == 6/"
     " { 0; (struct tcp_sock *)args[0]; 0; __dt_tcp_at[args[0], args[2]]; 0; args[1]; }",
     "inet_sock_set_state"},
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
};

}  // namespace

std::unique_ptr<Provider> make_tcp_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("tcp", kProbes, kernel);
}

}  // namespace dtrace
