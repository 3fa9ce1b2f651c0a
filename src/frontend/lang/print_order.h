// SPDX-License-Identifier: Apache-2.0
// The order that a printa() asks for itself, in place of the options aggsortkey, aggsortkeypos, aggsortpos and
// aggsortrev: "value", "key", "value2" (of the second aggregation), "key2"; with "-" in front, the greatest first.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dtrace {

struct PrintOrder {
  bool by_key = false;
  uint32_t position = 0;  ///< of the key or aggregation that is compared first, from 0
  bool reverse = false;
};

/// Nothing: `text` is no order.
inline std::optional<PrintOrder> parse_print_order(std::string_view text) {
  constexpr std::string_view kKey = "key", kValue = "value";
  PrintOrder order;
  order.reverse = text.starts_with('-');
  text.remove_prefix(order.reverse ? 1 : 0);
  order.by_key = text.starts_with(kKey);
  if (!order.by_key && !text.starts_with(kValue)) return std::nullopt;
  text.remove_prefix(order.by_key ? kKey.size() : kValue.size());
  if (text.empty()) return order;
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  order.position = number - 1;
  return order;
}

}  // namespace dtrace
