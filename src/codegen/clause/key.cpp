// SPDX-License-Identifier: Apache-2.0
// Keys of aggregations and associative arrays, as they lie in memory: every byte is defined, for the kernel compares
// all.
#include <algorithm>
#include <map>

#include "codegen/clause/clause.h"

namespace dtrace::codegen {
namespace {

// Larger keys lie in the scratch slot: a program's stack is 512 bytes, and parts of a clause lie above its main
// function.
constexpr uint32_t kStackKeyBytes = 200;
constexpr uint32_t kStackKeyBytesInPart = 64;

bool is_narrow(const ValuePlan &field) {
  const bool is_number = field.kind == ValuePlan::Kind::kInteger || field.kind == ValuePlan::Kind::kProbePart;
  return is_number && field.size_bytes < 8;
}

/// The words of a key, by their offset, that hold nothing but narrow fields: their value so far.
std::map<uint32_t, llvm::Value *> narrow_words(const std::vector<ValuePlan> &fields, uint32_t reserved_bytes) {
  std::map<uint32_t, llvm::Value *> words;
  for (const ValuePlan &field : fields)
    if (is_narrow(field) && field.offset / 8 * 8 >= reserved_bytes) words[field.offset / 8 * 8] = nullptr;
  for (const ValuePlan &field : fields) {
    if (field.kind == ValuePlan::Kind::kConstString || is_narrow(field)) continue;
    words.erase(words.lower_bound(field.offset / 8 * 8), words.lower_bound(field.offset + field.size_bytes));
  }
  return words;
}

}  // namespace

Memory ClauseEmitter::key_memory(uint32_t size_bytes) {
  if (size_bytes > (part_depth_ == 0 ? kStackKeyBytes : kStackKeyBytesInPart)) return scratch(size_bytes);
  return {temporary(size_bytes, "key"), size_bytes, std::nullopt};
}

void ClauseEmitter::clear_gaps(llvm::Value *key, const std::vector<ValuePlan> &fields, uint32_t reserved_bytes,
                               uint32_t key_bytes) {
  std::vector<std::pair<uint32_t, uint32_t>> used{{0, reserved_bytes}};
  for (const ValuePlan &field : fields)
    if (field.kind != ValuePlan::Kind::kConstString) used.emplace_back(field.offset, field.offset + field.size_bytes);
  std::sort(used.begin(), used.end());
  used.emplace_back(key_bytes, key_bytes);
  uint32_t end = 0;
  for (auto &[from, to] : used) {
    for (; end < from; end++) b_.CreateStore(llvm::ConstantInt::get(object_.i8(), 0), at(key, end));
    end = std::max(end, to);
  }
}

/// A probe that has the text of `part` in a key. All functions of the kernel share "entry": one key, where each probe's
/// own would be a new one, and the kernel refuses new keys that come faster than it finds memory.
llvm::Value *ClauseEmitter::part_owner(Variable part) {
  const ProgramPlan &program = *context_.plan;
  const bool at_function = program.hook.is<KernelEntryHook>() || program.hook.is<KernelReturnHook>();
  if (part != Variable::k_probename || !at_function || in_error() || program.probes.empty()) return probe();
  return constant(program.probes.front().value);
}

llvm::Value *ClauseEmitter::narrow_value(const ValuePlan &plan, const tree::Expr &expr) {
  set_position(expr);
  TemporaryScope scope(*this);
  llvm::Value *value = plan.kind == ValuePlan::Kind::kProbePart ? part_owner(plan.part) : scalar(expr);
  return b_.CreateZExt(b_.CreateTrunc(value, object_.integer(plan.size_bytes)), object_.i64());
}

void ClauseEmitter::store_key(llvm::Value *key, const std::vector<ValuePlan> &fields,
                              const std::vector<const tree::Expr *> &values, uint32_t reserved_bytes,
                              uint32_t key_bytes) {
  // The kernel loads whole words, and waits for what two stores wrote.
  std::map<uint32_t, llvm::Value *> words = narrow_words(fields, reserved_bytes);
  clear_gaps(key, fields, reserved_bytes, key_bytes);
  for (size_t i = 0; i < values.size(); i++) {
    const ValuePlan &field = fields[i];
    const auto word = words.find(field.offset / 8 * 8);
    if (word == words.end() || field.kind == ValuePlan::Kind::kConstString) {
      store_value(at(key, field.offset), field, *values[i], alignment_at(field.offset), true);
      continue;
    }
    llvm::Value *part = b_.CreateShl(narrow_value(field, *values[i]), uint64_t{field.offset % 8 * 8});
    word->second = word->second == nullptr ? part : b_.CreateOr(word->second, part);
  }
  for (auto &[offset, value] : words) {
    llvm::IntegerType *type = object_.integer(std::min<uint32_t>(key_bytes - offset, 8));
    b_.CreateAlignedStore(b_.CreateTrunc(value, type), at(key, offset), llvm::Align(8));
  }
}

}  // namespace dtrace::codegen
