// SPDX-License-Identifier: Apache-2.0
#include "runtime/unwind/code_file.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/foreign_limits.h"
#include "runtime/foreign/go_functions.h"
#include "runtime/unwind/python_runtime.h"

namespace dtrace::runtime {
namespace {

constexpr uint64_t kPageBytes = uint64_t{1} << DT_UNWIND_PAGE_SHIFT;

/// Mappings begin and end at pages of the kernel's, which may be larger.
uint64_t mapped_page_bytes() { return static_cast<uint64_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

Result<std::unique_ptr<CodeFile>> CodeFile::open(Fd fd, const arch::FrameRegisters &registers, uint16_t elf_machine) {
  auto file = std::make_unique<CodeFile>();
  file->fd_ = std::move(fd);
  file->source_ = std::make_unique<usdt::FileSource>(file->fd_.get());
  return open(std::move(file), registers, elf_machine);
}

Result<std::unique_ptr<CodeFile>> CodeFile::open(std::vector<std::byte> bytes, const arch::FrameRegisters &registers,
                                                 uint16_t elf_machine) {
  auto file = std::make_unique<CodeFile>();
  file->bytes_ = std::move(bytes);
  file->source_ = std::make_unique<usdt::MemorySource>(file->bytes_);
  return open(std::move(file), registers, elf_machine);
}

Result<std::unique_ptr<CodeFile>> CodeFile::open(std::unique_ptr<CodeFile> file, const arch::FrameRegisters &registers,
                                                 uint16_t elf_machine) {
  Result<usdt::ElfFile> elf = usdt::ElfFile::open(*file->source_);
  if (!elf) return std::move(elf.error());
  if (elf->machine_number() != elf_machine || !elf->is_64bit()) return Error("a program of another machine");
  uint64_t end = 0;
  file->first_address_ = UINT64_MAX;
  for (const usdt::Segment &segment : elf->segments()) {
    if (segment.type != PT_LOAD || (segment.flags & PF_X) == 0) continue;
    const uint64_t segment_end = segment.address + segment.file_bytes;
    if (segment_end < segment.address || segment_end > uint64_t{1} << 62) return Error("segments that overflow");
    file->code_.push_back({segment.offset, segment.address, segment.file_bytes});
    file->first_address_ = std::min(file->first_address_, segment.address / mapped_page_bytes() * mapped_page_bytes());
    end = std::max(end, segment_end);
  }
  if (file->code_.empty()) return Error("no code");
  file->keeps_frames_ = go_function_table(*elf) != nullptr;
  file->nr_pages_ = (end - file->first_address_ + kPageBytes - 1) / kPageBytes;
  if (file->nr_pages_ > limits::kMaxCodePages) return file;  // as if it had no rules
  Result<CallFrames> frames = CallFrames::open(*file->source_, *elf, registers);
  file->registers_ = registers;
  if (frames && frames->nr_entries() != 0) {
    file->frames_ = std::move(*frames);
    file->has_rules_ = true;
    const std::optional<dt_python> python =
        registers.know_managed ? python_runtime(*file->source_, *elf, file->first_address_) : std::nullopt;
    if (python) {
      static_assert(sizeof *python <= sizeof(dt_managed_runtime));
      std::memcpy(&file->runtime_.emplace(), &*python, sizeof *python);
    }
  }
  return file;
}

void CodeFile::rest() {
  if (!fd_) return;  // bytes in memory are nobody's
  frames_.reset();
  source_.reset();
  fd_.reset();
}

void CodeFile::wake(Fd fd) {
  fd_ = std::move(fd);
  source_ = std::make_unique<usdt::FileSource>(fd_.get());
  if (!has_rules_) return;
  if (Result<CallFrames> frames = CallFrames::open(*source_, registers_)) frames_ = std::move(*frames);
}

std::optional<uint64_t> CodeFile::address_of(uint64_t offset) const {
  for (const Code &code : code_) {
    // A mapping begins at a page, and so before the segment.
    const uint64_t slack = code.address % mapped_page_bytes();
    const uint64_t start = code.offset - std::min(slack, code.offset);
    if (offset >= start && offset - start < code.size_bytes + slack) return code.address - slack + (offset - start);
  }
  return std::nullopt;
}

std::optional<uint64_t> CodeFile::first_offset() const {
  if (code_.size() != 1) return std::nullopt;
  return code_.front().offset - std::min(code_.front().address % mapped_page_bytes(), code_.front().offset);
}

bool CodeFile::tell(RulePool &pool, uint64_t page) {
  if (!pages || !frames_ || page >= nr_pages_) return false;
  const uint64_t address = first_address_ + page * kPageBytes;
  const auto word = static_cast<uint32_t>(*pages + page * sizeof(uint64_t));
  return pool.set_page(word, address, frames_->rows(address, address + kPageBytes));
}

}  // namespace dtrace::runtime
