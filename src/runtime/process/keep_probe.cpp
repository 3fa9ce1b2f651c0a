// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/keep_probe.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "runtime/foreign/process_maps.h"
#include "runtime/kernel/probe_events.h"

namespace dtrace::runtime {

Result<Fd> keep_probe(pid_t pid, uint64_t address) {
  const Result<ProcessMaps> maps = read_process_maps(pid);
  if (!maps) return maps.error();
  const MapEntry *map = find_map(maps->maps, address);
  if (map == nullptr || !map->is_file()) return Error("no file is mapped there");
  const Result<Fd> file = open_mapped_file(pid, *map);
  if (!file) return file.error();

  const std::string path = fmt::format("/proc/self/fd/{}", file->get());
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = ProbeEvents::of_user_programs().type;
  attributes.config1 = reinterpret_cast<uintptr_t>(path.c_str());
  attributes.config2 = address - map->start + map->offset;
  if (attributes.type == 0) return Error("the kernel has no probes of user programs");
  Fd event(static_cast<int>(::syscall(SYS_perf_event_open, &attributes, pid, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!event) return Error::from_errno("no event can be had", errno);
  return event;
}

}  // namespace dtrace::runtime
