// SPDX-License-Identifier: Apache-2.0
// A file with code, as user stacks are walked through it: its pages of code, and the rules of each when somebody asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "arch/machine.h"
#include "base/owned.h"
#include "base/result.h"
#include "runtime/unwind/rule_pool.h"

namespace dtrace::runtime {

class CodeFile {
 public:
  /// Errors: no ELF file, or one of another machine.
  static Result<std::unique_ptr<CodeFile>> open(Fd fd, const arch::FrameRegisters &registers, uint16_t elf_machine);
  /// The same of an ELF image in memory.
  static Result<std::unique_ptr<CodeFile>> open(std::vector<std::byte> bytes, const arch::FrameRegisters &registers,
                                                uint16_t elf_machine);

  /// Has it rules? Else frames of its code are followed by frame pointers.
  bool has_rules() const { return has_rules_; }
  /// Does its code keep frame pointers, also from one stack to another? Go's does.
  bool keeps_frames() const { return keeps_frames_; }
  /// What programs must know of the language's runtime in the file; nothing: it has none that is known.
  const std::optional<dt_managed_runtime> &runtime() const { return runtime_; }
  /// The same of an offset in the file, where its code is in one piece: that of the first page.
  std::optional<uint64_t> first_offset() const;
  /// Closes the file, and frees what was read of it, until a process maps it again.
  void rest();
  bool is_resting() const { return source_ == nullptr; }
  void wake(Fd fd);
  /// Where an offset in the file lies among the file's own addresses, if it is code.
  std::optional<uint64_t> address_of(uint64_t offset) const;
  /// The first page's address, a multiple of a page's size; and how many there are up to the end of the code.
  uint64_t first_address() const { return first_address_; }
  uint64_t nr_pages() const { return nr_pages_; }

  /// Tells the pool of a page, by its number. False: there is no room.
  bool tell(RulePool &pool, uint64_t page);

  // --- what its owner keeps of it
  std::optional<uint32_t> pages;          ///< offset of the words in the pool
  std::optional<uint32_t> runtime_place;  ///< in the pool
  bool is_wanted = false;                 ///< a program has asked for a page: all are to be published
  uint64_t next_page = 0;                 ///< the next one to publish without a request
  uint64_t used = 0;                      ///< when, by the owner's count

 private:
  static Result<std::unique_ptr<CodeFile>> open(std::unique_ptr<CodeFile> file, const arch::FrameRegisters &registers,
                                                uint16_t elf_machine);
  struct Code {
    uint64_t offset, address, size_bytes;
  };

  Fd fd_;
  std::vector<std::byte> bytes_;
  std::unique_ptr<usdt::ByteSource> source_;
  arch::FrameRegisters registers_;
  bool has_rules_ = false, keeps_frames_ = false;
  std::optional<CallFrames> frames_;
  std::optional<dt_managed_runtime> runtime_;
  std::vector<Code> code_;
  uint64_t first_address_ = 0, nr_pages_ = 0;
};

}  // namespace dtrace::runtime
