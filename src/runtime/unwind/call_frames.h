// SPDX-License-Identifier: Apache-2.0
// The call frame information of one ELF file (.eh_frame): which rule holds at each address of its code.
//
// What a reader would get wrong: entries are read one by one as they are asked for, through the sorted table of
// .eh_frame_hdr, because a library has megabytes of them and a process uses a few pages of its code. The table is a
// hint and is checked against the entry that it names. All addresses are the file's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "arch/machine.h"
#include "base/result.h"
#include "runtime/unwind/frame_program.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

/// `rule` holds from `address` to the next row's.
struct FrameRow {
  uint64_t address = 0;
  dt_unwind_rule rule{};
};

class CallFrames {
 public:
  /// `source` must outlive this. Errors: the file has no .eh_frame, or one that cannot be read.
  static Result<CallFrames> open(const usdt::ByteSource &source, const arch::FrameRegisters &registers);
  static Result<CallFrames> open(const usdt::ByteSource &source, const usdt::ElfFile &file,
                                 const arch::FrameRegisters &registers);

  /// The rows of [start, end), the first of them at `start`; neighbours differ. Code that no entry is about, or whose
  /// entry is damaged, has the rule of DT_UNWIND_NONE.
  std::vector<FrameRow> rows(uint64_t start, uint64_t end);

  size_t nr_entries() const { return index_.size(); }
  /// Memory of the index, which lives as long as this.
  size_t memory_bytes() const { return index_.capacity() * sizeof(IndexEntry); }

 private:
  struct Place {
    uint64_t address = 0, offset = 0, size_bytes = 0;
  };
  /// Addresses and offsets of entries, from their sections' start: no such section has 4 GiB.
  struct IndexEntry {
    int32_t code, entry;  ///< both from the start of .eh_frame
  };
  /// A function's entry (an FDE).
  struct Entry {
    CodeRange code;
    const CommonEntry *common = nullptr;
    std::vector<std::byte> instructions;
  };

  CallFrames(const usdt::ByteSource &source, const arch::FrameRegisters &registers)
      : source_(&source), registers_(registers) {}
  /// The table of .eh_frame_hdr; false: there is none that we can use.
  bool read_table(const Place &header);
  void scan_entries();
  std::optional<Entry> entry_at(uint64_t offset);
  const CommonEntry *common_at(uint64_t offset);
  /// The bytes of the entry behind its length, and where they begin; empty: there is no whole entry.
  std::span<const std::byte> body_at(uint64_t offset, uint64_t &body_offset);
  std::span<const std::byte> view(uint64_t offset, uint64_t size_bytes);

  const usdt::ByteSource *source_;
  arch::FrameRegisters registers_;
  Place section_;
  uint64_t header_address_ = 0;
  std::vector<IndexEntry> index_;           // by address
  std::map<uint64_t, CommonEntry> common_;  // by offset
  std::vector<std::byte> window_;           // of the section
  uint64_t window_offset_ = 0;
};

}  // namespace dtrace::runtime
