// SPDX-License-Identifier: Apache-2.0
// Values by number, where numbers come in long runs: those of tens of thousands of probes, which a map would give a
// node each, and a search.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace dtrace {

template <typename T>
class NumberTable {
 public:
  /// Null if there is none. Addresses are stable.
  T *find(uint32_t number) {
    Page *page = page_of(number);
    return page != nullptr && (*page)[number % kPage] ? &*(*page)[number % kPage] : nullptr;
  }
  const T *find(uint32_t number) const { return const_cast<NumberTable *>(this)->find(number); }
  bool contains(uint32_t number) const { return find(number) != nullptr; }

  /// The value that is there, or one made now; and whether it was made.
  template <typename... Args>
  std::pair<T *, bool> try_emplace(uint32_t number, Args &&...args) {
    Page *page = page_of(number);
    if (page == nullptr) {
      page = pages_.try_emplace(number / kPage, new Page).first->second.get();  // not zeroed first, as make_unique does
      last_number_ = number / kPage;
      last_ = page;
    }
    std::optional<T> &value = (*page)[number % kPage];
    const bool is_new = !value;
    if (is_new) value.emplace(std::forward<Args>(args)...);
    return {&*value, is_new};
  }

  /// Calls `each` with every number and its value, in no order.
  template <typename Function>
  void for_each(Function each) {
    for (auto &[number, page] : pages_)
      for (uint32_t i = 0; i < kPage; ++i)
        if (std::optional<T> &value = (*page)[i]) each(number * kPage + i, *value);
  }

 private:
  static constexpr uint32_t kPage = 64;
  using Page = std::array<std::optional<T>, kPage>;

  Page *page_of(uint32_t number) {
    if (last_ != nullptr && last_number_ == number / kPage) return last_;
    const auto found = pages_.find(number / kPage);
    if (found == pages_.end()) return nullptr;
    last_number_ = number / kPage;
    return last_ = found->second.get();
  }

  std::unordered_map<uint32_t, std::unique_ptr<Page>> pages_;
  uint32_t last_number_ = 0;  // the page that was asked for last
  Page *last_ = nullptr;
};

}  // namespace dtrace
