// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/same_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "base/owned.h"

namespace dtrace::runtime {
namespace {

/// The file's first page in our memory. Not read by us: a file that is truncated meanwhile would be SIGBUS.
Mapping map_first_page(int fd, size_t page_bytes) {
  void *page = mmap(nullptr, page_bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
  return page == MAP_FAILED ? Mapping() : Mapping(page, page_bytes);
}

/// Number of the physical page; 0: it is not there, or not told.
uint64_t frame_of(int pagemap, const Mapping &page, size_t page_bytes) {
  // Documentation/admin-guide/mm/pagemap.rst
  constexpr uint64_t kPresent = uint64_t{1} << 63, kFrame = (uint64_t{1} << 55) - 1;
  uint64_t entry = 0;
  const auto at = static_cast<off_t>(reinterpret_cast<uintptr_t>(page.data()) / page_bytes * sizeof entry);
  if (pread(pagemap, &entry, sizeof entry, at) != sizeof entry || (entry & kPresent) == 0) return 0;
  return entry & kFrame;
}

}  // namespace

bool have_same_pages(int one, int other) {
  const auto page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const Fd pagemap(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  const Mapping first = map_first_page(one, page_bytes), second = map_first_page(other, page_bytes);
  if (!pagemap || !first || !second) return false;
  const uint64_t frame = frame_of(pagemap.get(), first, page_bytes);
  return frame != 0 && frame == frame_of(pagemap.get(), second, page_bytes);
}

}  // namespace dtrace::runtime
