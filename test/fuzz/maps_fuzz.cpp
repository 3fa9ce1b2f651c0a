// SPDX-License-Identifier: Apache-2.0
// Any bytes as what /proc says of a process: its mappings, for symbols and for static probes, and its identity.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/foreign/process_maps.h"
#include "runtime/usdt/process_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace dtrace;
  using namespace dtrace::runtime;
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  uint64_t before = 0;
  for (const MapEntry &map : parse_maps(text)) {
    if (map.end <= map.start || map.start < before) std::abort();
    before = map.start;
    (void)object_name(map.path);
  }
  ExecutedFiles files;
  add_executed_files(text, 1, files);
  for (const auto &[key, file] : files)
    if (file.pids.size() != 1 || !file.path.starts_with('/')) std::abort();
  (void)parse_identity(text);
  return 0;
}
