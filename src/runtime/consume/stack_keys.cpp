// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/stack_keys.h"

#include <algorithm>
#include <cstring>

#include "bpf/dt_unwind.h"
#include "runtime/symbols/managed_frames.h"

namespace dtrace::runtime {
namespace {

constexpr size_t kMaxRemembered = 16384;  // processes: they are noted, or refused, again after that
constexpr uint64_t kEndBits = uint64_t{DT_STACK_END_MASK} << DT_STACK_END_SHIFT;

/// A function or module of a program: one frame, as it were. What uaddr() shows may have no name but its address.
bool is_symbol(const ValuePlan &value) {
  return value.kind == ValuePlan::Kind::kUserSymbol && value.builtin != Builtin::k_uaddr;
}

bool is_stack(const ValuePlan &value) {
  return value.kind == ValuePlan::Kind::kUserStack || value.kind == ValuePlan::Kind::kStack || is_symbol(value);
}

/// The first word of a stack: 0 of the kernel's.
uint64_t first_word(const ValuePlan &value, std::span<const std::byte> key) {
  uint64_t word = 0;
  if (value.size_bytes >= sizeof word && value.offset + value.size_bytes <= key.size())
    std::memcpy(&word, key.data() + value.offset, sizeof word);
  return word;
}

/// A process and which of its programs.
uint64_t program_of(uint64_t word) { return word & ~kEndBits; }

pid_t process_of(uint64_t word) { return static_cast<pid_t>(static_cast<uint32_t>(word)); }

}  // namespace

bool StackKeys::has_stacks(const AggregationPlan &plan) { return std::ranges::any_of(plan.keys, is_stack); }

bool StackKeys::has_ended(pid_t pid) {
  const auto [known, is_new] = ended_.try_emplace(pid, false);
  if (!is_new) return known->second;
  known->second = sharing_.has_ended(pid);
  if (known->second || !sharing_.note) return known->second;
  if (noted_.size() >= kMaxRemembered) noted_.clear();
  if (noted_.insert(pid).second) sharing_.note(pid);
  return false;
}

bool StackKeys::is_wanted(const ValuePlan &value, std::span<const std::byte> key) {
  if (!is_stack(value)) return false;
  const uint64_t word = first_word(value, key);
  const pid_t pid = process_of(word);
  if (pid == 0 || pid == kFileSpacePid || unshareable_.contains(program_of(word))) return false;
  return has_ended(pid) || sharing_.of_all;
}

bool StackKeys::wants_change(const AggregationPlan &plan, std::span<const std::byte> key) {
  return std::ranges::any_of(plan.keys, [&](const ValuePlan &value) { return is_wanted(value, key); });
}

bool StackKeys::change(const AggregationPlan &plan, std::span<std::byte> key, bool is_last) {
  bool has_changed = false;
  for (const ValuePlan &value : plan.keys) {
    if (!is_wanted(value, key)) continue;
    words_.resize(value.size_bytes / sizeof(uint64_t));
    std::memcpy(words_.data(), key.data() + value.offset, words_.size() * sizeof(uint64_t));
    const pid_t pid = process_of(words_[0]);
    const UserImage image(pid, static_cast<uint32_t>(words_[0] >> DT_IMAGE_SHIFT));
    bool is_whole = true;
    for (size_t i = 1; i < words_.size() && words_[i] != 0 && is_whole; ++i) {
      if (is_managed(words_[i])) continue;
      const std::optional<uint64_t> shared = sharing_.shared_address(image, words_[i]);
      is_whole = shared.has_value();
      if (shared) words_[i] = *shared;
    }
    if (!is_whole) {
      // Data has names, too, and its file's code may be shared.
      if (!is_last || is_symbol(value) || !has_ended(pid)) continue;
      if (unshareable_.size() >= kMaxRemembered) unshareable_.clear();
      unshareable_.insert(program_of(words_[0]));
      ++nr_kept_;
      continue;
    }
    words_[0] = static_cast<uint64_t>(kFileSpacePid) | (words_[0] & kEndBits);
    std::memcpy(key.data() + value.offset, words_.data(), words_.size() * sizeof(uint64_t));
    has_changed = true;
  }
  return has_changed;
}

}  // namespace dtrace::runtime
