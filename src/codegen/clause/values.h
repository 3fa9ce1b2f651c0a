// SPDX-License-Identifier: Apache-2.0
// Values that expressions of a clause have while code is generated.
//
// A scalar is an i64 extended by its D type; of an operator's result all 64 bits count (types_compat.h, wraps), and the
// tree has a Convert where it must be narrowed. A string is an EmittedText: nothing is copied until the bytes are
// needed. Memory that BPF may touch directly (map values, the stack, a record) is a pointer; every other address is a
// number.
#pragma once

#include <optional>
#include <string>

#include "codegen/clause/program.h"

namespace dtrace::codegen {

/// A string not yet copied anywhere.
struct EmittedText {
  enum class Kind : uint8_t {
    kLiteral,  ///< `literal`
    kMemory,   ///< at `pointer`, NUL-terminated within `size_bytes`
    kPart,     ///< a field of the probe's description
    kComm,     ///< the thread's name, not read yet
    kCgroup,   ///< one of the names of the thread's cgroup, `part`
  };
  Kind kind = Kind::kLiteral;
  std::string literal;
  llvm::Value *pointer = nullptr;
  uint32_t size_bytes = 0;
  bool padded = false;  ///< kMemory: zeros after the NUL
  Variable part = Variable::k_probefunc;
  llvm::Value *is_null = nullptr;       ///< i1; none: never NULL
  llvm::Value *length = nullptr;        ///< i64, without the NUL, if it is known
  std::optional<uint32_t> slot_offset;  ///< kMemory: it lies here in the scratch slot
};

/// Memory that may be written directly.
struct Memory {
  llvm::Value *pointer = nullptr;
  uint32_t size_bytes = 0;
  std::optional<uint32_t> slot_offset;
  llvm::Value *address = nullptr;  ///< in the arena: its address, as a number
  llvm::Value *taken = nullptr;    ///< in the arena: size at run time, bounded by size_bytes
};

/// A string of the current clause that lies in the slot, where the library can walk it.
struct SlotText {
  uint32_t offset = 0;
  uint32_t size_bytes = 0;  ///< its space
  llvm::Value *pointer = nullptr;
  llvm::Value *length = nullptr;  ///< i64, without the NUL
};

/// Bytes of a thread's name with its NUL.
inline constexpr uint32_t kCommBytes = 16;

/// A block of constant size has a fixed offset in the slot if it is not larger than this.
inline constexpr uint32_t kMaxFixedBytes = 32768;

/// Storage that an expression denotes.
struct Place {
  enum class Kind : uint8_t {
    kMemory,   ///< directly loadable and storable
    kAddress,  ///< a number: loads are checked reads, stores only into this clause's scratch
  };
  Kind kind = Kind::kMemory;
  llvm::Value *pointer = nullptr;  ///< kMemory
  llvm::Value *missing = nullptr;  ///< kMemory: i1, nothing is there and it reads as 0; none: always there
  llvm::Value *address = nullptr;  ///< kAddress
  Space space = Space::kKernel;    ///< kAddress
  uint64_t off_bits = 0;
  uint32_t bits = 0;                  ///< bit-field width; 0: ordinary
  std::optional<uint32_t> presence;   ///< thread-local string: offset of its "is set" byte from the storage's start
  std::optional<uint32_t> null_flag;  ///< other strings: offset of the byte that says that NULL was assigned
  llvm::Value *storage = nullptr;     ///< what `presence` and `null_flag` are counted from
  std::optional<uint32_t> array;      ///< element of this variable's array...
  llvm::Value *key = nullptr;         ///< ...with this key
};

/// Alignment of the address that is `offset` bytes behind one aligned to 8.
inline uint32_t alignment_at(uint32_t offset) {
  return offset % 8 == 0 ? 8 : offset % 4 == 0 ? 4 : offset % 2 == 0 ? 2 : 1;
}

/// What an lvalue is used for.
enum class Access : uint8_t {
  kRead,   ///< storage that is absent stays so
  kWrite,  ///< made if absent
};

}  // namespace dtrace::codegen
