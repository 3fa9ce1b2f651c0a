// SPDX-License-Identifier: Apache-2.0
// Where a function's frame is while one of its instructions is about to run, by the program's call frame information.
//
// What a reader would get wrong: variables may be counted from a register that is right only between the function's
// first and last instructions. So a frame that a register holds is checked against the call frame information.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/result.h"
#include "plan/user_site.h"
#include "runtime/unwind/call_frames.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

class CodeFrames {
 public:
  explicit CodeFrames(std::shared_ptr<const UserFile> file) : file_(std::move(file)), source_(file_->fd.get()) {}

  /// The canonical frame address: a register, by DWARF's number, plus a number of bytes.
  struct Cfa {
    uint16_t reg = 0;
    int64_t offset = 0;
    friend bool operator==(const Cfa &, const Cfa &) = default;
  };
  /// Nothing: the file does not say, or it is not so simple.
  std::optional<Cfa> at(uint64_t address);
  /// That of most of the code in [start, end) whose frame is counted from the stack pointer.
  std::optional<Cfa> of_body(uint64_t start, uint64_t end);

 private:
  bool open();
  std::optional<Cfa> cfa_of(const dt_unwind_rule &rule) const;

  std::shared_ptr<const UserFile> file_;
  usdt::FileSource source_;
  std::optional<CallFrames> frames_;
  bool is_open_ = false;
};

}  // namespace dtrace::runtime
