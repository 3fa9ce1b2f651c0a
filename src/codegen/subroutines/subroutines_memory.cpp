// SPDX-License-Identifier: Apache-2.0
// Subroutines that give out scratch memory or move bytes between it, user memory and the kernel's.
#include <algorithm>

#include "codegen/subroutines/subroutines.h"

namespace dtrace::codegen {
namespace {

/// The greatest block whose size is known only at run time.
uint32_t most_bytes(Caller &c) { return c.e.arena_bytes(); }

/// A size that the verifier knows to be at most `most`; larger ones are a fault.
llvm::Value *bounded(Caller &c, llvm::Value *size, uint32_t most) {
  size = c.e.opaque(size);
  c.e.fault_if(c.b.CreateICmpUGT(size, c.c64(most)), DT_FAULT_BADSIZE, size);
  return size;
}

/// Runs `move` with a size that is constant or bounded; 0 moves nothing.
void with_size(Caller &c, size_t n, const std::function<void(llvm::Value *size, uint32_t most)> &move) {
  if (std::optional<uint64_t> bytes = c.constant(n); bytes && *bytes <= kMaxFixedBytes) {
    if (*bytes != 0) move(c.c32(*bytes), static_cast<uint32_t>(*bytes));
    return;
  }
  const uint32_t most = most_bytes(c);
  llvm::Value *size = bounded(c, c.number(n), most);
  c.e.when(c.b.CreateICmpNE(size, c.c64(0)), [&] { move(c.b.CreateTrunc(size, c.e.object().i32()), most); });
}

void checked(Caller &c, Space space, llvm::Value *to, llvm::Value *size, llvm::Value *from) {
  llvm::Value *error =
      space == Space::kUser ? c.e.copy_in(to, size, from) : c.e.helper(Helper::kProbeReadKernel, {to, size, from});
  c.e.fault_if(c.b.CreateICmpNE(error, c.c64(0)), DT_FAULT_BADADDR, from);
}

void write_user(Caller &c, llvm::Value *to, llvm::Value *from, llvm::Value *size) {
  llvm::Value *error = c.e.helper(Helper::kProbeWriteUser, {c.e.untagged(to), from, size});
  c.e.fault_if(c.b.CreateICmpNE(error, c.c64(0)), DT_FAULT_BADADDR, to);
}

}  // namespace

Answer sub_alloca(Caller &c) {
  llvm::Value *size = c.number(0);
  c.e.count_allocated(size);
  const std::optional<uint64_t> bytes = c.constant(0);
  Memory memory = c.e.arena_take(size);
  if (bytes && *bytes <= kMaxFixedBytes) {
    c.e.zero(memory.pointer, static_cast<uint32_t>(*bytes));
  } else {
    llvm::Value *zeros = c.e.object().zeros(c.e.arena_bytes());
    c.e.helper(Helper::kProbeReadKernel, {memory.pointer, c.b.CreateTrunc(memory.taken, c.e.object().i32()), zeros});
  }
  return {memory.address, {}};
}

Answer sub_copyin(Caller &c) {
  llvm::Value *from = c.number(0);
  const std::optional<uint64_t> bytes = c.constant(1);
  Memory memory = c.e.arena_take(c.number(1));
  if (bytes && *bytes <= kMaxFixedBytes) {
    if (*bytes != 0) checked(c, Space::kUser, memory.pointer, c.c32(*bytes), from);
  } else {
    c.e.when(c.b.CreateICmpNE(memory.taken, c.c64(0)), [&] {
      checked(c, Space::kUser, memory.pointer, c.b.CreateTrunc(memory.taken, c.e.object().i32()), from);
    });
  }
  return {memory.address, {}};
}

Answer sub_copyinstr(Caller &c) {
  llvm::Value *from = c.number(0);
  c.e.set_position(c.expr);
  uint32_t size_bytes = c.result_bytes();
  if (!c.has(1)) return {nullptr, c.e.read_text(Space::kUser, from, size_bytes, c.into)};
  if (std::optional<uint64_t> most = c.constant(1)) {
    size_bytes = static_cast<uint32_t>(std::min<uint64_t>(size_bytes, *most + 1));
    return {nullptr, c.e.read_text(Space::kUser, from, size_bytes, c.into)};
  }
  llvm::Value *most = c.number(1);
  llvm::Value *fits = c.b.CreateICmpULT(most, c.c64(size_bytes - 1));
  llvm::Value *size = c.e.opaque(c.b.CreateAdd(c.b.CreateSelect(fits, most, c.c64(size_bytes - 1)), c.c64(1)));
  c.e.fault_if(c.b.CreateICmpUGT(size, c.c64(size_bytes)), DT_FAULT_BADSIZE, size);
  Memory memory = c.e.target(c.into, size_bytes);
  llvm::Value *length = c.e.copy_in_text(memory.pointer, c.b.CreateTrunc(size, c.e.object().i32()), from);
  // The helper wants a byte more than it may have, for the NUL. What is behind a text without one may not be readable.
  c.e.when(c.b.CreateICmpSLT(length, c.c64(0)), [&] {
    llvm::Value *bytes = c.e.opaque(c.b.CreateSub(size, c.c64(1)));
    c.e.fault_if(c.b.CreateICmpUGE(bytes, c.c64(size_bytes)), DT_FAULT_BADSIZE, bytes);
    c.e.when(c.b.CreateICmpNE(bytes, c.c64(0)),
             [&] { checked(c, Space::kUser, memory.pointer, c.b.CreateTrunc(bytes, c.e.object().i32()), from); });
    c.b.CreateStore(c.b.getInt8(0), c.b.CreateGEP(c.e.object().i8(), memory.pointer, bytes));
  });
  // Cut to what is asked for is no loss.
  c.e.drop_cut(Space::kUser, c.b.CreateSelect(fits, c.c64(0), length), size_bytes, from);
  return c.text_of(memory);
}

Answer sub_copyinto(Caller &c) {
  llvm::Value *from = c.number(0);
  with_size(c, 1, [&](llvm::Value *size, uint32_t most) {
    llvm::Value *to = c.e.writable(c.number(2), size, most);
    checked(c, Space::kUser, to, size, from);
  });
  return {c.c64(0), {}};
}

Answer sub_bcopy(Caller &c) {
  llvm::Value *from = c.number(0);
  llvm::Value *address = c.number(1);
  const Space space = c.space(0);
  with_size(c, 2, [&](llvm::Value *size, uint32_t most) {
    checked(c, space, c.e.writable(address, size, most), size, from);
  });
  return {c.c64(0), {}};
}

Answer sub_copyout(Caller &c) {
  llvm::Value *from = c.number(0);
  llvm::Value *to = c.number(1);
  with_size(c, 2, [&](llvm::Value *size, uint32_t most) {
    Memory memory = c.e.scratch(most);
    checked(c, Space::kKernel, memory.pointer, size, from);
    write_user(c, to, memory.pointer, size);
  });
  return {c.c64(0), {}};
}

Answer sub_copyoutstr(Caller &c) {
  SlotText text = c.in_slot(0);
  llvm::Value *to = c.number(1);
  llvm::Value *most = c.number(2);
  llvm::Value *size = c.b.CreateAdd(text.length, c.c64(1));
  size = c.e.opaque(c.b.CreateSelect(c.b.CreateICmpULT(most, size), most, size));
  c.e.fault_if(c.b.CreateICmpUGT(size, c.c64(text.size_bytes)), DT_FAULT_BADSIZE, size);
  c.e.when(c.b.CreateICmpNE(size, c.c64(0)),
           [&] { write_user(c, to, text.pointer, c.b.CreateTrunc(size, c.e.object().i32())); });
  return {c.c64(0), {}};
}

}  // namespace dtrace::codegen
