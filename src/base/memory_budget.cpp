// SPDX-License-Identifier: Apache-2.0
#include "base/memory_budget.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace dtrace {
namespace {

constexpr uint64_t kAmpleBytes = uint64_t{1} << 30;

/// Free memory goes back to the kernel, which counts it.
void return_free_memory() {
#ifdef __GLIBC__
  (void)malloc_trim(0);
#endif
}

}  // namespace

void MemoryBudget::return_free() {
  if (left_() < kAmpleBytes) return_free_memory();
}

bool MemoryBudget::admits(uint64_t bytes, uint64_t spare_bytes) {
  const uint64_t wanted = bytes + spare_bytes < bytes ? UINT64_MAX : bytes + spare_bytes;
  uint64_t now = left_();
  if (now >= wanted) return true;
  return_free_memory();
  now = left_();
  for (const GiveUp &give_up : caches_) {
    while (now < wanted) {
      if (give_up(wanted - now) == 0) break;
      return_free_memory();
      now = left_();
    }
  }
  return now >= wanted;
}

}  // namespace dtrace
