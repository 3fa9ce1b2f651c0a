// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/formats.h"

#include <algorithm>
#include <iterator>

namespace dtrace::runtime {

std::unique_ptr<Sink> make_sink(std::string_view format, const SinkParts &parts) {
  const auto *const row = std::ranges::find(kFormats, format, &FormatRow::name);
  return (row == std::end(kFormats) ? kFormats[0] : *row).make(parts);
}

}  // namespace dtrace::runtime
