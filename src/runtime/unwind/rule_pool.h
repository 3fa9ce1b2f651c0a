// SPDX-License-Identifier: Apache-2.0
// The pool that programs look up when they walk a user stack (bpf/dt_unwind.h): rules, rows by pages of code, lists of
// mappings.
//
// What a reader would get wrong: programs read while we write. A page's rows are there before its word is; the word is
// taken away before the rows are; and what is given back is written again only after a while, when no walk that began
// before can still be on its way.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "bpf/dt_managed.h"
#include "bpf/dt_unwind.h"
#include "runtime/unwind/call_frames.h"
#include "runtime/unwind/pool_space.h"

namespace dtrace::runtime {

class RulePool {
 public:
  /// `memory`: of the pool, zeros, a multiple of DT_UNWIND_BLOCK_BYTES; must outlive this. `wait_for_walks` returns
  /// when every walk that had begun before has ended.
  RulePool(std::span<std::byte> memory, std::span<const uint32_t> register_offsets,
           std::function<void()> wait_for_walks);

  /// Words for so many pages of a file, about which nothing is known yet. Nothing: no room is left for them.
  std::optional<uint32_t> add_pages(uint64_t nr_pages);
  void remove_pages(uint32_t pages, uint64_t nr_pages);

  /// May rows for a whole page of code be put in without taking others' room?
  bool has_room() const;
  /// Tells programs the rules of a page of code, whose rows begin at `page_address`. `word`: offset of the page's word.
  /// The oldest rows may be removed for them. False: there is no room.
  bool set_page(uint32_t word, uint64_t page_address, std::span<const FrameRow> rows);
  bool knows_page(uint32_t word) const;
  /// The rules of the page are not known now; it may be asked for again.
  void forget_page(uint32_t word);

  /// The offset of a list of mappings, sorted by start. Nothing: no room is left.
  std::optional<uint32_t> add_mappings(std::span<const dt_unwind_mapping> mappings);
  void remove_mappings(uint32_t place) { give_back(place); }
  /// The offset of what is known of a runtime; makes the share of the pool for records of managed frames if there is
  /// none yet. Nothing: no room is left for one of them, or the offset does not fit in a mapping's flags.
  std::optional<uint32_t> add_runtime(const dt_managed_runtime &runtime);
  void remove_runtime(uint32_t place) { give_back(place); }
  /// The process may be asked for again.
  void forget_ask(uint32_t pid);

  uint64_t nr_evicted_pages() const { return nr_evicted_pages_; }
  uint64_t taken_bytes() const { return space_.taken_bytes(); }
  uint64_t nr_rules() const { return rules_.size(); }

 private:
  /// A block of rows, filled from its start on.
  struct RowBlock {
    uint64_t place = 0, used_bytes = 0;
    std::vector<uint32_t> words;  // of the pages whose rows are here
  };
  using RuleBytes = std::array<uint64_t, sizeof(dt_unwind_rule) / sizeof(uint64_t)>;
  struct HashRule {
    size_t operator()(const RuleBytes &rule) const;
  };

  template <typename T>
  T *at(uint64_t place) const {
    return reinterpret_cast<T *>(memory_.data() + place);
  }
  uint64_t load_word(uint32_t word) const;
  void store_word(uint32_t word, uint64_t value);
  /// The number of a rule, as rows have it. Nothing: there are too many.
  std::optional<uint32_t> number_of(const dt_unwind_rule &rule);
  /// The block that has room for so many bytes of rows.
  RowBlock *row_block(uint64_t size_bytes);
  void give_back(uint64_t place);
  std::optional<uint64_t> take(uint64_t size_bytes);
  void settle(bool in_any_case);
  bool make_share();
  bool may_add_block() const;

  std::span<std::byte> memory_;
  std::vector<uint32_t> register_offsets_;
  std::function<void()> wait_for_walks_;
  PoolSpace space_;
  std::unordered_map<RuleBytes, uint32_t, HashRule> rules_;
  uint64_t rules_place_ = 0, rules_left_ = 0;
  std::deque<RowBlock> row_blocks_;  // the one being filled last
  struct Returned {
    uint64_t place;
    std::chrono::steady_clock::time_point when;
  };
  std::deque<Returned> returned_;
  uint64_t nr_evicted_pages_ = 0;
  uint32_t no_rule_;  // its number; made when all of the above is there
};

}  // namespace dtrace::runtime
