// SPDX-License-Identifier: Apache-2.0
// Strings as values: where their bytes are made, how they are copied and compared, and those that every firing has (the
// thread's name and the parts of the probe's description).
#pragma once

#include <string>
#include <string_view>

#include "codegen/clause/firing.h"

namespace dtrace::codegen {

/// `literal` with zeros up to `size_bytes`, cut where it has no room with its NUL.
std::string padded_bytes(std::string_view literal, uint32_t size_bytes);

class TextEmitter : public FiringEmitter {
 public:
  Memory bytes_of(const EmittedText &text);       ///< readable memory with its NUL; faults if NULL
  Memory bytes_or_null(const EmittedText &text);  ///< the same; whatever is there if NULL
  SlotText slot_text(const EmittedText &text);    ///< the same, in the slot and with its length
  /// Faults if NULL, with `address`; null: NULL itself.
  void require_not_null(const EmittedText &text, llvm::Value *address = nullptr);
  Memory target(const Memory *into, uint32_t size_bytes);  ///< `into` if it is wide enough, else scratch
  EmittedText read_text(Space space, llvm::Value *address, uint32_t size_bytes, const Memory *into);
  /// The same for an integer, of which only the value tells whether it is an address of the process or of the kernel.
  EmittedText read_text_anywhere(llvm::Value *address, uint32_t size_bytes, const Memory *into);
  void copy_text(llvm::Value *to, uint32_t size_bytes, const EmittedText &text, bool pad, uint32_t align = 8);
  void copy_text_or_empty(llvm::Value *to, uint32_t size_bytes, const EmittedText &text);
  /// Counts a string as cut if `is_longer`, where the limit is that of all strings and not one that was asked for.
  void drop_cut(llvm::Value *is_longer);
  /// The same of one that was read from `address`: `with_nul` bytes of it found room.
  void drop_cut(Space space, llvm::Value *with_nul, uint32_t size_bytes, llvm::Value *address);
  llvm::Value *compare_values(BinaryOp op, const EmittedText &lhs, const EmittedText &rhs);
  llvm::Value *comm_equals(const std::string &literal);
  llvm::Value *part_equals(Variable part, const std::string &literal);
  EmittedText part_value(Variable part);
  // --- cgroups (cgroup.cpp)
  EmittedText cgroup_text(Variable name);
  llvm::Value *cgroup_equals(Variable name, const std::string &literal);  ///< null: there are too many comparisons

 protected:
  using FiringEmitter::FiringEmitter;
  void zero_tail(llvm::Value *memory, uint32_t from, uint32_t to);

 private:
  /// Reads a string into `memory`; its length with the NUL. Faults.
  llvm::Value *text_length(Space space, llvm::Value *address, const Memory &memory);
  EmittedText text_in(const Memory &memory, llvm::Value *length_with_nul);
  void store_comm(llvm::Value *to, uint32_t size_bytes, uint32_t align = 8);
  EmittedText described_part(Variable part);
  EmittedText late_part(Variable part);
  llvm::Value *late_part_equals(Variable part, const std::string &literal);
};

}  // namespace dtrace::codegen
