// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/same_pages.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cstdint>

#include "base/owned.h"
#include "base/printable.h"

namespace dtrace::runtime {
namespace {

bool is_overlaid(int fd) {
  struct statfs system{};
  return fstatfs(fd, &system) == 0 && system.f_type == OVERLAYFS_SUPER_MAGIC;
}

/// The file's first page in our memory. Not read by us: a file that is truncated meanwhile would be SIGBUS.
Mapping map_first_page(int fd, size_t page_bytes) {
  void *page = mmap(nullptr, page_bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
  return page == MAP_FAILED ? Mapping() : Mapping(page, page_bytes);
}

/// Number of the physical page; 0: it is not there, or not known.
uint64_t frame_of(int pagemap, const Mapping &page, size_t page_bytes) {
  // Documentation/admin-guide/mm/pagemap.rst
  constexpr uint64_t kPresent = uint64_t{1} << 63, kFrame = (uint64_t{1} << 55) - 1;
  uint64_t entry = 0;
  const auto at = static_cast<off_t>(reinterpret_cast<uintptr_t>(page.data()) / page_bytes * sizeof entry);
  if (pread(pagemap, &entry, sizeof entry, at) != sizeof entry || (entry & kPresent) == 0) return 0;
  return entry & kFrame;
}

}  // namespace

SamePages compare_pages(int one, int other) {
  const auto page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const Fd pagemap(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  const Mapping first = map_first_page(one, page_bytes), second = map_first_page(other, page_bytes);
  if (!pagemap || !first || !second) return SamePages::kUnknown;
  const uint64_t first_frame = frame_of(pagemap.get(), first, page_bytes);
  const uint64_t second_frame = frame_of(pagemap.get(), second, page_bytes);
  if (first_frame == 0 || second_frame == 0) return SamePages::kUnknown;
  return first_frame == second_frame ? SamePages::kYes : SamePages::kNo;
}

SamePages have_same_pages(int one, int other) {
  if (!is_overlaid(one) && !is_overlaid(other)) return SamePages::kNo;
  struct stat first{}, second{};
  if (fstat(one, &first) != 0 || fstat(other, &second) != 0) return SamePages::kUnknown;
  return first.st_size == second.st_size ? compare_pages(one, other) : SamePages::kNo;
}

std::string may_be_one_file(std::string_view one, std::string_view other) {
  return fmt::format(
      "{} and {} may be one file under two overlays: its probes may fire twice (CAP_SYS_ADMIN would show it)",
      printable(one), printable(other));
}

}  // namespace dtrace::runtime
