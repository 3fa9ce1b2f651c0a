// SPDX-License-Identifier: Apache-2.0
// Any bytes as call frame information, and as a whole file that has some: rows in order, in bounded memory and time.
#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "runtime/unwind/call_frames.h"
#include "runtime/unwind/code_file.h"
#include "runtime/unwind/rule_pool.h"
#include "test/unit/runtime/unwind_support.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

void look(const usdt::ByteSource &source, uint64_t from) {
  Result<CallFrames> frames = CallFrames::open(source, arch::kX86_64.frame_registers);
  if (!frames) return;
  constexpr uint64_t kPageBytes = 4096;
  for (uint64_t page = from; page < from + 4 * kPageBytes; page += kPageBytes) {
    const std::vector<FrameRow> rows = frames->rows(page, page + kPageBytes);
    if (rows.empty() || rows.front().address != page || rows.size() > kPageBytes) std::abort();
    for (size_t i = 1; i < rows.size(); ++i)
      if (rows[i].address <= rows[i - 1].address || rows[i].address >= page + kPageBytes ||
          rows[i].rule == rows[i - 1].rule)
        std::abort();
  }
}

/// The same as programs get it: whatever a file says, the pool stays within its memory.
void tell(std::span<const std::byte> bytes) {
  Result<std::unique_ptr<CodeFile>> file =
      CodeFile::open(std::vector<std::byte>(bytes.begin(), bytes.end()), arch::kX86_64.frame_registers, EM_X86_64);
  if (!file) return;
  static std::vector<std::byte> memory(size_t{8} * DT_UNWIND_BLOCK_BYTES);
  std::ranges::fill(memory, std::byte{0});
  RulePool pool(memory, arch::kX86_64.frame_registers.offsets, [] {});
  (*file)->pages = pool.add_pages((*file)->nr_pages());
  for (uint64_t page = 0; page < std::min<uint64_t>((*file)->nr_pages(), 8); ++page) (*file)->tell(pool, page);
  if (pool.taken_bytes() > memory.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte *>(data), size);
  look(usdt::MemorySource(bytes), 0);
  tell(bytes);
  // The first byte says how much of the rest is the table.
  if (bytes.empty()) return 0;
  const std::span<const std::byte> rest = bytes.subspan(1);
  const size_t table_bytes = rest.size() * std::to_integer<size_t>(bytes[0]) / 256;
  const std::vector<std::byte> file = test::elf_with_frames(rest.subspan(table_bytes), rest.first(table_bytes));
  look(usdt::MemorySource(file), 0x1000);
  look(usdt::MemorySource(file), test::kFramesAddress & ~uint64_t{0xfff});
  tell(file);
  return 0;
}
