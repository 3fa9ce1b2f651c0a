// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <link.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "runtime/store/object_files.h"

namespace dtrace::runtime {
namespace {

struct Wanted {
  uintptr_t address;  ///< of some code
  std::string build_id;
};

/// The build ID among the notes of one segment; empty: they have none.
std::string build_id_in(const char *notes, size_t size_bytes) {
  constexpr size_t kAlign = 4;
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size_bytes;) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes + at, sizeof head);
    const char *name = notes + at + sizeof head;
    const size_t description = (head.n_namesz + kAlign - 1) / kAlign * kAlign;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == sizeof "GNU" && std::memcmp(name, "GNU", sizeof "GNU") == 0)
      return std::string(name + description, head.n_descsz);
    at += sizeof head + description + (head.n_descsz + kAlign - 1) / kAlign * kAlign;
  }
  return {};
}

int look_at(dl_phdr_info *info, size_t, void *closure) {
  auto &wanted = *static_cast<Wanted *>(closure);
  const std::span<const ElfW(Phdr)> segments(info->dlpi_phdr, info->dlpi_phnum);
  const bool is_it = std::ranges::any_of(segments, [&](const ElfW(Phdr) & segment) {
    return segment.p_type == PT_LOAD && wanted.address - (info->dlpi_addr + segment.p_vaddr) < segment.p_memsz;
  });
  if (!is_it) return 0;
  for (const ElfW(Phdr) & segment : segments) {
    if (segment.p_type != PT_NOTE || !wanted.build_id.empty()) continue;
    wanted.build_id = build_id_in(reinterpret_cast<const char *>(info->dlpi_addr + segment.p_vaddr), segment.p_memsz);
  }
  return 1;
}

}  // namespace

std::string build_and_kernel() {
  Wanted wanted{reinterpret_cast<uintptr_t>(&look_at), {}};
  dl_iterate_phdr(look_at, &wanted);
  utsname kernel{};
  if (wanted.build_id.empty() || uname(&kernel) != 0) return {};
  std::string text = wanted.build_id;
  for (const char *word : {kernel.release, kernel.version, kernel.machine}) {
    text += '\0';
    text += word;
  }
  return text;
}

}  // namespace dtrace::runtime
