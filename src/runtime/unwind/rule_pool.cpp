// SPDX-License-Identifier: Apache-2.0
#include "runtime/unwind/rule_pool.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace dtrace::runtime {
namespace {

constexpr uint64_t kRulesBytes = 4096;  // taken at a time
/// Shares of the pool: rows have five eighths, rules one, words of pages and lists of mappings the rest, and one file's
/// words no more than an eighth. Records of managed frames take one of the rest when there is a process that has some.
constexpr uint64_t kRowEighths = 5, kRuleEighths = 1, kFileEighths = 1, kManagedEighths = 1;
constexpr uint64_t kIndexPart = 16;  // of that: records of 256 bytes fill half of the index
constexpr uint64_t kMaxRules = uint64_t{1} << DT_UNWIND_RULE_BITS;
/// How long a walk may be on its way that wait_for_walks() does not know of, in programs that may sleep.
constexpr std::chrono::seconds kLongestWalk{1};
constexpr size_t kManyReturned = 256;

constexpr dt_unwind_rule kNoRule{};

static_assert(DT_MANAGED_SHARE_PLACE >= DT_UNWIND_ASKED * sizeof(uint32_t));

}  // namespace

size_t RulePool::HashRule::operator()(const RuleBytes &rule) const {
  uint64_t hash = 0;
  for (const uint64_t word : rule) hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 32);
}

RulePool::RulePool(std::span<std::byte> memory, std::span<const uint32_t> register_offsets,
                   std::function<void()> wait_for_walks)
    : memory_(memory),
      register_offsets_(register_offsets.begin(), register_offsets.end()),
      wait_for_walks_(std::move(wait_for_walks)),
      space_(memory.size(), DT_MANAGED_SHARE_PLACE + sizeof(dt_managed_share)),
      no_rule_(number_of(kNoRule).value_or(0)) {}

// ---------------------------------------------------------------- room

void RulePool::give_back(uint64_t place) { returned_.push_back({place, std::chrono::steady_clock::now()}); }

void RulePool::settle(bool in_any_case) {
  if (returned_.empty() || (!in_any_case && returned_.size() < kManyReturned)) return;
  const auto long_ago = std::chrono::steady_clock::now() - kLongestWalk;
  if (returned_.front().when > long_ago) return;
  wait_for_walks_();
  for (; !returned_.empty() && returned_.front().when <= long_ago; returned_.pop_front())
    space_.give_back(returned_.front().place);
}

std::optional<uint64_t> RulePool::take(uint64_t size_bytes) {
  settle(false);
  std::optional<uint64_t> place = space_.take(size_bytes);
  if (!place) {
    settle(true);
    place = space_.take(size_bytes);
  }
  return place;
}

// ---------------------------------------------------------------- pages

uint64_t RulePool::load_word(uint32_t word) const { return __atomic_load_n(at<uint64_t>(word), __ATOMIC_ACQUIRE); }

void RulePool::store_word(uint32_t word, uint64_t value) {
  __atomic_store_n(at<uint64_t>(word), value, __ATOMIC_RELEASE);
}

std::optional<uint32_t> RulePool::add_pages(uint64_t nr_pages) {
  const uint64_t size_bytes = nr_pages * sizeof(uint64_t);
  if (nr_pages == 0 || size_bytes > memory_.size() / 8 * kFileEighths) return std::nullopt;
  const std::optional<uint64_t> place = take(size_bytes);
  if (!place) return std::nullopt;
  std::memset(at<std::byte>(*place), 0, size_bytes);
  return static_cast<uint32_t>(*place);
}

void RulePool::remove_pages(uint32_t pages, uint64_t nr_pages) {
  for (RowBlock &block : row_blocks_)
    std::erase_if(block.words,
                  [&](uint32_t word) { return word >= pages && word - pages < nr_pages * sizeof(uint64_t); });
  give_back(pages);
}

bool RulePool::knows_page(uint32_t word) const { return load_word(word) >> DT_UNWIND_COUNT_SHIFT != 0; }

void RulePool::forget_page(uint32_t word) { store_word(word, 0); }

bool RulePool::may_add_block() const {
  return (row_blocks_.size() + 1) * DT_UNWIND_BLOCK_BYTES <= memory_.size() / 8 * kRowEighths;
}

bool RulePool::has_room() const {
  const uint64_t most = (uint64_t{1} << DT_UNWIND_PAGE_SHIFT) * sizeof(uint32_t);
  if (!row_blocks_.empty() && row_blocks_.back().used_bytes + most <= DT_UNWIND_BLOCK_BYTES) return true;
  return may_add_block();
}

RulePool::RowBlock *RulePool::row_block(uint64_t size_bytes) {
  if (!row_blocks_.empty() && row_blocks_.back().used_bytes + size_bytes <= DT_UNWIND_BLOCK_BYTES)
    return &row_blocks_.back();
  if (const std::optional<uint64_t> place = may_add_block() ? take(DT_UNWIND_BLOCK_BYTES) : std::nullopt) {
    row_blocks_.push_back({*place, 0, {}});
    return &row_blocks_.back();
  }
  if (row_blocks_.empty()) return nullptr;
  // The oldest rows give way.
  RowBlock oldest = std::move(row_blocks_.front());
  row_blocks_.pop_front();
  for (const uint32_t word : oldest.words) {
    const uint64_t rows = static_cast<uint32_t>(load_word(word));
    if (rows < oldest.place || rows >= oldest.place + DT_UNWIND_BLOCK_BYTES) continue;  // told anew since
    store_word(word, 0);
    ++nr_evicted_pages_;
  }
  wait_for_walks_();
  oldest.used_bytes = 0;
  oldest.words.clear();
  row_blocks_.push_back(std::move(oldest));
  return &row_blocks_.back();
}

bool RulePool::set_page(uint32_t word, uint64_t page_address, std::span<const FrameRow> rows) {
  if (rows.empty() || rows.front().address != page_address) return false;
  std::vector<uint32_t> encoded;
  encoded.reserve(rows.size());
  for (const FrameRow &row : rows) {
    // One too many is none: a walk says so.
    const uint32_t rule = number_of(row.rule).value_or(no_rule_);
    encoded.push_back(static_cast<uint32_t>(row.address - page_address) << DT_UNWIND_RULE_BITS | rule);
  }
  const uint64_t size_bytes = encoded.size() * sizeof(uint32_t);
  RowBlock *block = row_block(size_bytes);
  if (block == nullptr) return false;
  const uint64_t place = block->place + block->used_bytes;
  std::memcpy(at<std::byte>(place), encoded.data(), size_bytes);
  block->used_bytes += size_bytes;
  block->words.push_back(word);
  store_word(word, uint64_t{encoded.size()} << DT_UNWIND_COUNT_SHIFT | place);
  return true;
}

std::optional<uint32_t> RulePool::number_of(const dt_unwind_rule &rule) {
  dt_unwind_rule told = rule;
  // Programs have registers as struct pt_regs has them.
  const auto word_of = [&](uint8_t number) -> std::optional<uint8_t> {
    if (number >= register_offsets_.size()) return std::nullopt;
    return static_cast<uint8_t>(register_offsets_[number] / sizeof(uint64_t));
  };
  if (rule.cfa == DT_UNWIND_REGISTER) {
    const std::optional<uint8_t> word = word_of(rule.cfa_register);
    if (!word)
      told = kNoRule;
    else
      told.cfa_register = *word;
  }
  if (told.return_address == DT_UNWIND_REGISTER) {
    const std::optional<uint8_t> word = word_of(rule.return_register);
    if (!word)
      told = kNoRule;
    else
      told.return_register = *word;
  }
  RuleBytes bytes;
  static_assert(sizeof bytes == sizeof told);
  std::memcpy(bytes.data(), &told, sizeof told);
  if (const auto known = rules_.find(bytes); known != rules_.end()) return known->second;
  if (rules_left_ == 0) {
    if (rules_.size() * DT_UNWIND_UNIT_BYTES >= memory_.size() / 8 * kRuleEighths) return std::nullopt;
    const std::optional<uint64_t> place = take(kRulesBytes);
    if (!place) return std::nullopt;
    rules_place_ = *place;
    rules_left_ = kRulesBytes / DT_UNWIND_UNIT_BYTES;
  }
  const uint64_t number = rules_place_ / DT_UNWIND_UNIT_BYTES;
  if (number >= kMaxRules) return std::nullopt;
  std::memcpy(at<std::byte>(rules_place_), &told, sizeof told);
  rules_place_ += DT_UNWIND_UNIT_BYTES;
  --rules_left_;
  rules_.emplace(bytes, static_cast<uint32_t>(number));
  return static_cast<uint32_t>(number);
}

// ---------------------------------------------------------------- mappings

std::optional<uint32_t> RulePool::add_mappings(std::span<const dt_unwind_mapping> mappings) {
  if (mappings.empty() || mappings.size() > DT_UNWIND_MAPPINGS) return std::nullopt;
  const std::optional<uint64_t> place = take(mappings.size_bytes());
  if (!place) return std::nullopt;
  std::memcpy(at<std::byte>(*place), mappings.data(), mappings.size_bytes());
  return static_cast<uint32_t>(*place);
}

// ---------------------------------------------------------------- managed frames

bool RulePool::make_share() {
  auto *share = at<dt_managed_share>(DT_MANAGED_SHARE_PLACE);
  if (share->index != 0) return true;
  for (uint64_t size_bytes = std::bit_floor(memory_.size() / 8 * kManagedEighths); size_bytes >= DT_UNWIND_BLOCK_BYTES;
       size_bytes /= 2) {
    const std::optional<uint64_t> place = take(size_bytes);
    if (!place) continue;
    std::memset(at<std::byte>(*place), 0, size_bytes);
    const uint64_t index_bytes = size_bytes / kIndexPart;
    share->nr_words = static_cast<uint32_t>(index_bytes / sizeof(uint64_t));
    share->first_unit = static_cast<uint32_t>((*place + index_bytes) / DT_MANAGED_UNIT_BYTES);
    share->nr_units = static_cast<uint32_t>((size_bytes - index_bytes) / DT_MANAGED_UNIT_BYTES);
    share->taken = 0;
    __atomic_store_n(&share->index, static_cast<uint32_t>(*place), __ATOMIC_RELEASE);
    return true;
  }
  return false;
}

std::optional<uint32_t> RulePool::add_runtime(const dt_managed_runtime &runtime) {
  constexpr uint64_t kMaxUnits = uint64_t{1} << (32 - DT_MANAGED_RUNTIME_SHIFT);
  if (!make_share()) return std::nullopt;
  const std::optional<uint64_t> place = take(sizeof runtime);
  if (!place) return std::nullopt;
  if (*place / DT_MANAGED_RUNTIME_BYTES >= kMaxUnits) {
    give_back(*place);
    return std::nullopt;
  }
  std::memcpy(at<std::byte>(*place), &runtime, sizeof runtime);
  return static_cast<uint32_t>(*place);
}

// ---------------------------------------------------------------- asks

void RulePool::forget_ask(uint32_t pid) {
  uint32_t *asked = at<uint32_t>(pid % DT_UNWIND_ASKED * sizeof(uint32_t));
  __atomic_store_n(asked, 0, __ATOMIC_RELAXED);
}

}  // namespace dtrace::runtime
