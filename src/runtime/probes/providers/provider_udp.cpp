// SPDX-License-Identifier: Apache-2.0
// udp:vmlinux::NAME: datagrams. send: handed to a device by the socket that sends; receive: from one, before the
// kernel looks for a socket, so that datagrams without a receiver fire as well. A datagram in several fragments fires
// once, with the first one.
//
// skb->data is the IP header on receive, skb->network_header on send, as in ip.
#include "runtime/probes/providers/stable_provider.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kTypes = "pktinfo_t *, csinfo_t *, ipinfo_t *, udpsinfo_t *, udpinfo_t *";

constexpr StableProbe kProbes[] = {
    {"send", kTypes,
     "rawtp:::net_dev_queue /__dt_udp_is_sent[args[0]]/"
     " { args[0]; args[0]->sk; args[0]; __dt_udp_sending[args[0]]; __dt_udphdr[args[0]]; }",
     "net_dev_queue"},
    {"receive", kTypes,
     "rawtp:::netif_receive_skb /__dt_udp_is_received[args[0]]/"
     " { args[0]; args[0]->sk; (struct iphdr *)args[0]->data; __dt_udp_receiving[args[0]]; __dt_udphdr_at[args[0]]; }",
     "netif_receive_skb"},
};

}  // namespace

std::unique_ptr<Provider> make_udp_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("udp", kProbes, kernel);
}

}  // namespace dtrace::runtime
