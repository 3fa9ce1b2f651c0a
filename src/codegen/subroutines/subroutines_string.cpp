// SPDX-License-Identifier: Apache-2.0
// Subroutines on strings. Source: the D language reference, 4.5.
#include <algorithm>

#include "codegen/subroutines/subroutines.h"

namespace dtrace::codegen {
namespace {

/// basename() and its like: a string in, a string out, by one function of the library.
Answer path_part(Caller &c, const char *function) {
  SlotText path = c.in_slot(0);
  // The shortest answer, ".", may be longer than the path.
  Memory result = c.e.scratch(std::max<uint32_t>(path.size_bytes, 8));
  c.e.library(function, {c.slot(), c.c32(*result.slot_offset), c.c32(path.offset), c.c32(path.size_bytes)});
  return c.text_of(result);
}

Answer change_case(Caller &c, bool upper) {
  SlotText text = c.in_slot(0);
  Memory result = c.e.scratch(text.size_bytes);
  c.e.library("dt_str_case",
              {c.slot(), c.c32(*result.slot_offset), c.c32(text.offset), c.c32(text.size_bytes), c.c32(upper)});
  return c.text_of(result);
}

Answer character(Caller &c, bool first) {
  SlotText text = c.in_slot(0);
  llvm::Value *wanted = c.b.CreateTrunc(c.number(1), c.e.object().i32());
  llvm::Value *index =
      c.e.library("dt_str_char", {c.slot(), c.c32(text.offset), c.c32(text.size_bytes), wanted, c.c32(first)});
  llvm::Value *none = c.b.CreateICmpSLT(index, c.c64(0));
  return c.part(c.b.CreateAdd(index, c.c64(text.offset)), c.b.CreateSub(text.length, index), none);
}

Answer search(Caller &c, bool forward) {
  SlotText text = c.in_slot(0);
  SlotText wanted = c.in_slot(1);
  llvm::Value *start = c.has(2) ? c.number(2) : c.c64(0);
  llvm::Value *begin =
      c.e.library("dt_str_begin", {text.length, wanted.length, start, c.c32(c.has(2)), c.c32(forward)});
  // >= 0: search from there; -1: there is none; -2 - n: n without a search.
  llvm::Value *found = c.e.choose(
      c.b.CreateICmpSGE(begin, c.c64(0)), c.e.object().i64(),
      [&]() -> llvm::Value * {
        return c.e.library("dt_str_search", {c.slot(), c.c32(text.offset), c.c32(wanted.offset),
                                             c.b.CreateTrunc(begin, c.e.object().i32()), c.c32(forward)});
      },
      [&]() -> llvm::Value * {
        llvm::Value *known = c.b.CreateSub(c.e.constant(static_cast<uint64_t>(-2)), begin);
        return c.b.CreateSelect(c.b.CreateICmpEQ(begin, c.e.constant(~uint64_t{0})), begin, known);
      });
  return {found, {}};
}

}  // namespace

Answer sub_basename(Caller &c) { return path_part(c, "dt_basename"); }
Answer sub_dirname(Caller &c) { return path_part(c, "dt_dirname"); }
Answer sub_cleanpath(Caller &c) { return path_part(c, "dt_cleanpath"); }
Answer sub_toupper(Caller &c) { return change_case(c, true); }
Answer sub_tolower(Caller &c) { return change_case(c, false); }
Answer sub_strchr(Caller &c) { return character(c, true); }
Answer sub_strrchr(Caller &c) { return character(c, false); }
Answer sub_index(Caller &c) { return search(c, true); }
Answer sub_rindex(Caller &c) { return search(c, false); }

/// Bytes of memory as a string: n of them, the last of which gives way to the NUL that ends it.
Answer sub_memstr(Caller &c) {
  llvm::Value *from = c.number(0);
  llvm::Value *filler = c.b.CreateTrunc(c.number(1), c.e.object().i32());
  llvm::Value *wanted = c.number(2);
  Memory result = c.result();
  llvm::Value *most = c.c64(result.size_bytes - 1);
  llvm::Value *less = c.b.CreateSub(wanted, c.b.CreateZExt(c.b.CreateICmpNE(wanted, c.c64(0)), c.e.object().i64()));
  // The verifier must see the bound on the same register that the helper gets as size.
  llvm::Value *count = c.e.opaque(c.b.CreateSelect(c.b.CreateICmpULT(less, most), less, most));
  c.e.fault_if(c.b.CreateICmpUGT(count, most), DT_FAULT_BADSIZE, count);
  count = c.b.CreateTrunc(count, c.e.object().i32());
  llvm::Value *error = c.space(0) == Space::kUser ? c.e.copy_in(result.pointer, count, from)
                                                  : c.e.helper(Helper::kProbeReadKernel, {result.pointer, count, from});
  c.e.fault_if(c.b.CreateICmpNE(error, c.c64(0)), DT_FAULT_BADADDR, from);
  c.e.drop_cut(c.b.CreateICmpUGT(less, most));
  c.e.library("dt_str_fill", {c.slot(), c.c32(*result.slot_offset), count, filler});
  return c.text_of(result);
}

Answer sub_strlen(Caller &c) {
  EmittedText text = c.e.text(c.arg(0));
  if (text.kind == EmittedText::Kind::kLiteral && text.is_null == nullptr) return {c.c64(text.literal.size()), {}};
  return {c.in_slot(text).length, {}};
}

Answer sub_strstr(Caller &c) {
  SlotText text = c.in_slot(0);
  SlotText wanted = c.in_slot(1);
  llvm::Value *index =
      c.e.library("dt_str_search", {c.slot(), c.c32(text.offset), c.c32(wanted.offset), c.c32(0), c.c32(1)});
  llvm::Value *none = c.b.CreateICmpSLT(index, c.c64(0));
  return c.part(c.b.CreateAdd(index, c.c64(text.offset)), c.b.CreateSub(text.length, index), none);
}

Answer sub_strjoin(Caller &c) {
  EmittedText left = c.e.text(c.arg(0));
  EmittedText right = c.e.text(c.arg(1));
  c.e.set_position(c.expr);
  c.e.require_not_null(left);
  c.e.require_not_null(right);
  Memory first = c.e.bytes_or_null(left), second = c.e.bytes_or_null(right);
  const uint32_t size_bytes = std::min(c.result_bytes(), first.size_bytes + second.size_bytes - 1);
  const uint32_t head = std::min(first.size_bytes, size_bytes), tail = std::min(second.size_bytes, size_bytes);
  // The second string is read whole wherever the first ends, which is beyond the result's end at worst: that is room
  // the verifier can check, and cutting is one store.
  Memory result = c.e.scratch(head + tail);
  llvm::Value *with_nul = c.e.helper(Helper::kProbeReadKernelStr, {result.pointer, c.c32(head), first.pointer});
  llvm::Value *length = c.e.opaque(c.b.CreateSub(with_nul, c.c64(1)));
  c.e.fault_if(c.b.CreateICmpUGE(length, c.c64(head)), DT_FAULT_BADADDR, c.c64(0));
  llvm::Value *to = c.b.CreateGEP(c.e.object().i8(), result.pointer, length);
  llvm::Value *rest = c.e.helper(Helper::kProbeReadKernelStr, {to, c.c32(tail), second.pointer});
  if (size_bytes == c.e.compilation().types.strsize())
    c.e.drop_cut(c.b.CreateICmpUGT(c.b.CreateAdd(length, rest), c.c64(size_bytes)));
  if (size_bytes < head + tail)
    c.b.CreateStore(llvm::ConstantInt::get(c.e.object().i8(), 0), c.e.at(result.pointer, size_bytes - 1));
  result.size_bytes = size_bytes;
  return c.text_of(result);
}

Answer sub_substr(Caller &c) {
  SlotText text = c.in_slot(0);
  llvm::Value *index = c.number(1);
  llvm::Value *count = c.has(2) ? c.number(2) : c.c64(0);
  llvm::Value *begin = c.e.library("dt_part_begin", {text.length, index, count, c.c32(c.has(2))});
  llvm::Value *length = c.e.library("dt_part_length", {text.length, index, count, c.c32(c.has(2))});
  return c.part(c.b.CreateAdd(begin, c.c64(text.offset)), length);
}

Answer sub_strtok(Caller &c) {
  ClauseEmitter &e = c.e;
  const Memory text = e.token_text();
  EmittedText given = e.text(c.arg(0));
  e.set_position(c.expr);
  // A string starts anew; NULL goes on where this firing's last token ended.
  auto begin = [&] {
    EmittedText certain = given;
    certain.is_null = nullptr;
    e.copy_text(text.pointer, text.size_bytes, certain, false);
    c.b.CreateStore(c.c32(1), e.at(c.slot(), kSlotToken));
  };
  if (given.is_null == nullptr) {
    begin();
  } else {
    e.when(c.b.CreateNot(given.is_null), begin);
  }
  SlotText delimiters = c.in_slot(1);
  Memory result = e.scratch(text.size_bytes);
  llvm::Value *found = e.library("dt_str_token", {c.slot(), c.c32(*text.slot_offset), c.c32(delimiters.offset),
                                                  c.c32(*result.slot_offset), c.c32(text.size_bytes)});
  return c.text_of(result, c.b.CreateICmpEQ(found, c.c32(0)));
}

// ---------------------------------------------------------------- numbers

namespace {

/// Bases outside 2..36 are illegal.
llvm::Value *checked_base(Caller &c, size_t n) {
  if (!c.has(n)) return c.c32(10);
  llvm::Value *base = c.number(n);
  c.e.fault_if(c.b.CreateICmpUGT(c.b.CreateSub(base, c.c64(2)), c.c64(34)), DT_FAULT_ILLOP);
  return c.b.CreateTrunc(base, c.e.object().i32());
}

constexpr uint32_t kDigitsBytes = 72;  // DT_DIGITS of number_text.bpf.c

}  // namespace

Answer sub_lltostr(Caller &c) {
  llvm::Value *number = c.number(0);
  llvm::Value *base = checked_base(c, 1);
  Memory digits = c.e.scratch(kDigitsBytes);
  llvm::Value *begin = c.e.library("dt_number_text", {c.slot(), number, base, c.c32(*digits.slot_offset)});
  return c.part(begin, c.c64(kDigitsBytes));
}

Answer sub_strtoll(Caller &c) {
  SlotText text = c.in_slot(0);
  llvm::Value *base = checked_base(c, 1);
  return {c.e.library("dt_text_number", {c.slot(), c.c32(text.offset), c.c32(text.size_bytes), base}), {}};
}

Answer sub_json(Caller &c) {
  SlotText text = c.in_slot(0);
  SlotText path = c.in_slot(1);
  llvm::Value *length =
      c.e.library("dt_json", {c.slot(), c.c32(text.offset), c.c32(text.size_bytes), c.c32(path.offset)});
  llvm::Value *from = c.b.CreateZExt(c.b.CreateLoad(c.e.object().i32(), c.e.at(c.slot(), offsetof(dt_slot, loop.i))),
                                     c.e.object().i64());
  return c.part(from, length, c.b.CreateICmpSLT(length, c.c64(0)));
}

}  // namespace dtrace::codegen
