// SPDX-License-Identifier: Apache-2.0
// Any bytes as an index of names that was kept: it is refused, or each key leads to offsets of it, at most as many as
// asked for.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "runtime/debug_info/name_index.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using dtrace::runtime::NameIndex;
  const std::optional<NameIndex> index = NameIndex::open({reinterpret_cast<const char *>(data), size});
  if (!index) return 0;
  if (index->size() * 16 > size) std::abort();
  constexpr size_t kMax = 3;
  for (size_t at = 0; at + sizeof(uint64_t) <= size; ++at) {
    uint64_t key = 0;
    std::memcpy(&key, data + at, sizeof key);
    if (index->find(key, kMax).size() > kMax || index->find(key + 1, 1).size() > 1) std::abort();
  }
  return 0;
}
