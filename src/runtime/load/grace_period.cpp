// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/grace_period.h"

#include <bpf/bpf.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/owned.h"

namespace dtrace::runtime {

Result<Unit> wait_for_running_programs() {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0) return ok();
  return wait_by_replacing_a_map();
}

Result<Unit> wait_by_replacing_a_map() {
  constexpr uint32_t kWordBytes = sizeof(uint32_t);
  const Fd inner(bpf_map_create(BPF_MAP_TYPE_ARRAY, "dt_grace", kWordBytes, kWordBytes, 1, nullptr));
  LIBBPF_OPTS(bpf_map_create_opts, options, .inner_map_fd = static_cast<uint32_t>(inner.get()));
  const Fd outer(bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "dt_grace", kWordBytes, kWordBytes, 1, &options));
  const uint32_t slot = 0;
  const int map = inner.get();
  if (!inner || !outer || bpf_map_update_elem(outer.get(), &slot, &map, BPF_ANY) != 0)
    return Error::from_errno("cannot wait for running programs", errno);
  return ok();
}

}  // namespace dtrace::runtime
