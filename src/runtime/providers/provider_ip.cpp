// SPDX-License-Identifier: Apache-2.0
// ip:vmlinux::NAME: packets of IPv4 and IPv6 that devices are given and give.
//
// A packet that passes several devices is told of at each. One that has come begins with its header; one that is sent
// has it where the kernel has noted.
#include "runtime/providers/stable_provider.h"

namespace dtrace {
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

}  // namespace dtrace
