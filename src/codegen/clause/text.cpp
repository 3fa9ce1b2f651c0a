// SPDX-License-Identifier: Apache-2.0
// Strings as values: reading, copying, comparing them.
#include "codegen/clause/text.h"

#include <algorithm>
#include <bit>
#include <cctype>

namespace dtrace::codegen {

std::string padded_bytes(std::string_view literal, uint32_t size_bytes) {
  std::string bytes(literal.substr(0, std::min<size_t>(literal.find('\0'), size_bytes - 1)));
  bytes.resize(size_bytes, '\0');
  return bytes;
}

Memory TextEmitter::target(const Memory *into, uint32_t size_bytes) {
  return into != nullptr && into->size_bytes >= size_bytes ? Memory{into->pointer, size_bytes, into->slot_offset}
                                                           : scratch(size_bytes);
}

EmittedText TextEmitter::read_text(Space space, llvm::Value *address, uint32_t size_bytes, const Memory *into) {
  const Memory memory = target(into, size_bytes);
  return text_in(memory, text_length(space, address, memory));
}

EmittedText TextEmitter::read_text_anywhere(llvm::Value *address, uint32_t size_bytes, const Memory *into) {
  const Memory memory = target(into, size_bytes);
  return text_in(
      memory, choose(
                  is_user_address(address), object_.i64(), [&] { return text_length(Space::kUser, address, memory); },
                  [&] { return text_length(Space::kKernel, address, memory); }));
}

llvm::Value *TextEmitter::text_length(Space space, llvm::Value *address, const Memory &memory) {
  llvm::Value *size = constant32(memory.size_bytes);
  llvm::Value *length = space == Space::kUser ? copy_in_text(memory.pointer, size, address)
                                              : helper(Helper::kProbeReadKernelStr, {memory.pointer, size, address});
  fault_if(b_.CreateICmpSLT(length, constant(0)), DT_FAULT_BADADDR, address);
  drop_cut(space, length, memory.size_bytes, address);
  return length;
}

EmittedText TextEmitter::text_in(const Memory &memory, llvm::Value *length_with_nul) {
  EmittedText value;
  value.kind = EmittedText::Kind::kMemory;
  value.pointer = memory.pointer;
  value.size_bytes = memory.size_bytes;
  value.slot_offset = memory.slot_offset;
  value.length = b_.CreateSub(length_with_nul, constant(1));
  return value;
}

void TextEmitter::drop_cut(llvm::Value *is_longer) {
  choose(
      is_longer, object_.i64(),
      [&]() -> llvm::Value * {
        drop(Cause::kStringCut);
        return constant(0);
      },
      [&]() -> llvm::Value * { return constant(0); });
}

void TextEmitter::drop_cut(Space space, llvm::Value *with_nul, uint32_t size_bytes, llvm::Value *address) {
  if (size_bytes != compilation_.types.strsize() || !address->getType()->isIntegerTy(64)) return;
  // One that just fits has the same length.
  choose(
      b_.CreateICmpEQ(with_nul, constant(size_bytes)), object_.i64(),
      [&]() -> llvm::Value * {
        llvm::Value *start = space == Space::kUser ? untagged(address) : address;
        library("dt_count_cut",
                {compilation_.drops(), constant32(drop_index(compilation_.layout, Cause::kStringCut, plan_.index)),
                 b_.CreateAdd(start, constant(size_bytes - 1)), constant32(space == Space::kUser ? 1 : 0)});
        return constant(0);
      },
      [&]() -> llvm::Value * { return constant(0); });
}

void TextEmitter::require_not_null(const EmittedText &value, llvm::Value *address) {
  if (value.is_null != nullptr) fault_if(value.is_null, DT_FAULT_BADADDR, address != nullptr ? address : constant(0));
}

Memory TextEmitter::bytes_or_null(const EmittedText &value) {
  switch (value.kind) {
    case EmittedText::Kind::kLiteral: {
      const auto size_bytes = static_cast<uint32_t>(value.literal.size() + 1);
      return {object_.constant_bytes(padded_bytes(value.literal, size_bytes)), size_bytes, std::nullopt};
    }
    case EmittedText::Kind::kPart: {
      EmittedText real = part_value(value.part);
      return bytes_or_null(real);
    }
    case EmittedText::Kind::kCgroup:
      return bytes_or_null(cgroup_text(value.part));
    case EmittedText::Kind::kComm: {
      llvm::Value *memory = temporary(kCommBytes, "comm");
      store_comm(memory, kCommBytes);
      return {memory, kCommBytes, std::nullopt};
    }
    case EmittedText::Kind::kMemory:
      return {value.pointer, value.size_bytes, value.slot_offset};
  }
  return {};
}

SlotText TextEmitter::slot_text(const EmittedText &value) {
  require_not_null(value);
  if (value.kind == EmittedText::Kind::kLiteral) {
    Memory memory = scratch(static_cast<uint32_t>(value.literal.size() + 1));
    copy_text(memory.pointer, memory.size_bytes, value, true);
    return {*memory.slot_offset, memory.size_bytes, memory.pointer, constant(value.literal.size())};
  }
  if (value.slot_offset && value.length != nullptr)
    return {*value.slot_offset, value.size_bytes, value.pointer, value.length};
  // Reading a string from our own memory copies it and tells its length in one call.
  Memory from = bytes_or_null(value);
  Memory memory = value.slot_offset ? from : scratch(from.size_bytes);
  llvm::Value *with_nul =
      helper(Helper::kProbeReadKernelStr, {memory.pointer, constant32(from.size_bytes), from.pointer});
  return {*memory.slot_offset, from.size_bytes, memory.pointer, b_.CreateSub(with_nul, constant(1))};
}

Memory TextEmitter::bytes_of(const EmittedText &value) {
  require_not_null(value);
  return bytes_or_null(value);
}

void TextEmitter::copy_text(llvm::Value *to, uint32_t size_bytes, const EmittedText &value, bool pad, uint32_t align) {
  if (value.kind == EmittedText::Kind::kLiteral) {
    const uint32_t bytes =
        pad ? size_bytes : std::min<uint32_t>(size_bytes, static_cast<uint32_t>(value.literal.size() + 1));
    copy(to, object_.constant_bytes(padded_bytes(value.literal, bytes)), bytes, align);
    return;
  }
  if (value.kind == EmittedText::Kind::kComm) return store_comm(to, size_bytes, align);
  Memory from = bytes_or_null(value);
  const uint32_t bytes = std::min(from.size_bytes, size_bytes);
  const bool from_padded =
      value.padded || value.kind == EmittedText::Kind::kPart || value.kind == EmittedText::Kind::kCgroup;
  if (pad && !from_padded) {
    zero(to, size_bytes, align);
    helper(Helper::kProbeReadKernelStr, {to, constant32(bytes), from.pointer});
    return;
  }
  copy(to, from.pointer, bytes, align);
  if (pad && size_bytes > bytes) zero_tail(to, bytes, size_bytes);
  if (from.size_bytes > size_bytes) b_.CreateStore(llvm::ConstantInt::get(object_.i8(), 0), at(to, size_bytes - 1));
}

void TextEmitter::zero_tail(llvm::Value *memory, uint32_t from, uint32_t to) {
  for (; from < to && from % 8 != 0; from++) b_.CreateStore(llvm::ConstantInt::get(object_.i8(), 0), at(memory, from));
  zero(at(memory, from), to - from);
}

void TextEmitter::copy_text_or_empty(llvm::Value *to, uint32_t size_bytes, const EmittedText &value) {
  if (value.is_null == nullptr) return copy_text(to, size_bytes, value, false);
  choose(
      value.is_null, object_.i64(),
      [&]() -> llvm::Value * {
        b_.CreateStore(llvm::ConstantInt::get(object_.i8(), 0), to);
        return constant(0);
      },
      [&]() -> llvm::Value * {
        copy_text(to, size_bytes, value, false);
        return constant(0);
      });
}

void TextEmitter::store_comm(llvm::Value *to, uint32_t size_bytes, uint32_t align) {
  // Two loads from the task cost 7 ns with the helper that finds it; the helper for names costs 31. The kernel keeps
  // the name padded with zeros.
  std::optional<uint32_t> offset = compilation_.kernel.offset("task_struct", "comm");
  if (!offset || size_bytes < kCommBytes) {
    zero(to, size_bytes, align);  // 6.1 leaves what is behind the name as it was
    helper(Helper::kComm, {to, constant32(size_bytes)});
    return;
  }
  const uint32_t word_bytes = std::min<uint32_t>(align, *offset % 8 == 0 ? 8 : 4);
  for (uint32_t done = 0; done < kCommBytes; done += word_bytes) {
    llvm::Value *word = typed_load(task(), *offset + done, word_bytes);
    b_.CreateAlignedStore(b_.CreateTrunc(word, object_.integer(word_bytes)), at(to, done), llvm::Align(word_bytes));
  }
  if (size_bytes > kCommBytes) zero_tail(to, kCommBytes, size_bytes);
}

// ---------------------------------------------------------------- comparison

llvm::Value *TextEmitter::compare_values(BinaryOp op, const EmittedText &lhs, const EmittedText &rhs) {
  const bool equality = op == BinaryOp::kEq || op == BinaryOp::kNe;
  auto wanted = [&](llvm::Value *equal) { return op == BinaryOp::kEq ? equal : b_.CreateNot(equal); };
  if (lhs.kind == EmittedText::Kind::kLiteral && rhs.kind != EmittedText::Kind::kLiteral) {
    auto mirrored = [&] {
      switch (op) {
        case BinaryOp::kLt:
          return BinaryOp::kGt;
        case BinaryOp::kGt:
          return BinaryOp::kLt;
        case BinaryOp::kLe:
          return BinaryOp::kGe;
        case BinaryOp::kGe:
          return BinaryOp::kLe;
        default:
          return op;
      }
    };
    return compare_values(mirrored(), rhs, lhs);
  }
  if (lhs.is_null != nullptr || rhs.is_null != nullptr) {  // NULL compares as ""
    const bool left = lhs.is_null != nullptr;
    EmittedText there = left ? lhs : rhs;
    there.is_null = nullptr;
    return choose(
        left ? lhs.is_null : rhs.is_null, llvm::Type::getInt1Ty(object_.context()),
        [&] { return left ? compare_values(op, EmittedText{}, rhs) : compare_values(op, lhs, EmittedText{}); },
        [&] { return left ? compare_values(op, there, rhs) : compare_values(op, lhs, there); });
  }
  if (rhs.kind == EmittedText::Kind::kLiteral) {
    if (lhs.kind == EmittedText::Kind::kPart && equality) return wanted(part_equals(lhs.part, rhs.literal));
    if (lhs.kind == EmittedText::Kind::kCgroup && equality)
      if (llvm::Value *equal = cgroup_equals(lhs.part, rhs.literal)) return wanted(equal);
    if (lhs.kind == EmittedText::Kind::kComm && equality) return wanted(comm_equals(rhs.literal));
    if (lhs.kind == EmittedText::Kind::kLiteral)
      return compare(op, llvm::ConstantInt::getSigned(object_.i64(), lhs.literal.compare(rhs.literal)), constant(0),
                     true);
    Memory memory = bytes_or_null(lhs);
    Memory literal = bytes_or_null(rhs);
    llvm::Value *order =
        helper(Helper::kStrncmp, {memory.pointer, constant32(memory.size_bytes), literal.pointer}, object_.i32());
    return compare(op, b_.CreateSExt(order, object_.i64()), constant(0), true);
  }
  SlotText left = slot_text(lhs);
  SlotText right = slot_text(rhs);
  const uint32_t most = std::min(left.size_bytes, right.size_bytes);
  llvm::Value *order =
      library("dt_str_compare", {slot(), constant32(left.offset), constant32(right.offset), constant32(most)});
  return compare(op, order, constant(0), true);
}

llvm::Value *TextEmitter::comm_equals(const std::string &literal) {
  if (literal.size() >= kCommBytes) return llvm::ConstantInt::getFalse(object_.context());
  llvm::AllocaInst *memory = local_bytes(kCommBytes, "comm");
  store_comm(memory, kCommBytes);
  const std::string wanted = padded_bytes(literal, kCommBytes);
  uint64_t words[2];
  std::copy(wanted.begin(), wanted.end(), reinterpret_cast<char *>(words));
  llvm::Value *low = b_.CreateICmpEQ(b_.CreateLoad(object_.i64(), memory), constant(words[0]));
  llvm::Value *high = b_.CreateICmpEQ(b_.CreateLoad(object_.i64(), at(memory, 8)), constant(words[1]));
  return b_.CreateAnd(low, high);
}

}  // namespace dtrace::codegen
