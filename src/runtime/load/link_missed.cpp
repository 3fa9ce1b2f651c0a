// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/link_missed.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <cstddef>

namespace dtrace::runtime {
namespace {

// The kernel's ABI (struct bpf_link_info); Debian 12's header ends before these members.
constexpr uint32_t kKprobeMulti = 8, kPerfEvent = 7;     // enum bpf_link_type
constexpr uint32_t kPerfKprobe = 3, kPerfKretprobe = 4;  // enum bpf_perf_event_type

struct LinkInfo {
  uint32_t type = 0, id = 0, program_id = 0, pad = 0;
  union {
    struct {
      uint64_t addresses;
      uint32_t count, flags;
      uint64_t missed, cookies;
    } multi;
    struct {
      uint32_t type, pad;
      uint64_t name;
      uint32_t name_bytes, offset;
      uint64_t address, missed, cookie;
    } perf;
    uint64_t room[14] = {};
  };
};
static_assert(offsetof(LinkInfo, multi.missed) == 32 && offsetof(LinkInfo, perf.missed) == 48);

}  // namespace

std::optional<LinkMissed> link_missed(const bpf_link &link) {
  LinkInfo info;
  uint32_t size = sizeof info;
  if (bpf_link_get_info_by_fd(bpf_link__fd(&link), reinterpret_cast<bpf_link_info *>(&info), &size) != 0)
    return std::nullopt;
  if (info.type == kKprobeMulti) return LinkMissed{info.program_id, info.multi.missed};
  const bool is_kprobe = info.perf.type == kPerfKprobe || info.perf.type == kPerfKretprobe;
  if (info.type == kPerfEvent && is_kprobe) return LinkMissed{info.program_id, info.perf.missed};
  return std::nullopt;
}

}  // namespace dtrace::runtime
