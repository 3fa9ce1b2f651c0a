// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/formats.h"

#include <algorithm>
#include <iterator>

namespace dtrace::runtime {

const FormatRow *find_format(std::string_view name) {
  const auto *const row = std::ranges::find(kFormats, name, &FormatRow::name);
  return row == std::end(kFormats) ? nullptr : row;
}

std::string format_names() {
  std::string names;
  for (const FormatRow &row : kFormats) names.append(names.empty() ? "" : ", ").append(row.name);
  return names;
}

}  // namespace dtrace::runtime
