// SPDX-License-Identifier: Apache-2.0
// ip:vmlinux::NAME: IPv4 and IPv6 packets. send: handed to a device; receive: from one.
//
// A packet fires at each device it passes. skb->data is the header on receive, skb->network_header on send.
#include "runtime/probes/providers/stable_provider.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kTypes = "pktinfo_t *, csinfo_t *, ipinfo_t *, ifinfo_t *, ipv4info_t *, ipv6info_t *";

constexpr StableProbe kProbes[] = {
    {"send", kTypes,
     "rawtp:::net_dev_queue /__dt_is_ip[args[0]]/"
     " { args[0]; args[0]->sk; __dt_iphdr[args[0]]; args[0]->dev; __dt_iphdr[args[0]]; __dt_ipv6hdr[args[0]]; }",
     "net_dev_queue"},
    {"receive", kTypes,
     "rawtp:::netif_receive_skb /__dt_is_ip[args[0]]/"
     " { args[0]; args[0]->sk; (struct iphdr *)args[0]->data; args[0]->dev; (struct iphdr *)args[0]->data;"
     "   (struct ipv6hdr *)args[0]->data; }",
     "netif_receive_skb"},
};

}  // namespace

std::unique_ptr<Provider> make_ip_provider(KernelInfo &kernel) {
  return std::make_unique<StableProvider>("ip", kProbes, kernel);
}

}  // namespace dtrace::runtime
