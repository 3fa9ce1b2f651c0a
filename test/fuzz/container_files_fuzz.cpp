// SPDX-License-Identifier: Apache-2.0
// Files of container runtimes, paths of cgroups and mountinfo: any bytes say something or nothing.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/cgroups/cgroup_path.h"
#include "runtime/cgroups/hierarchy.h"
#include "runtime/cgroups/runtime_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace dtrace::runtime;
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  (void)facts_in_docker_config(text);
  (void)facts_in_bundle_config(text);
  (void)facts_in_storage_list(text, "b");
  (void)state_in_runc(text, "/sys/fs/cgroup");
  (void)state_in_crun(text);
  (void)containers_of_path(text);
  (void)is_in_unit(text, "ssh");
  (void)hierarchy_in(text);
  return 0;
}
