// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/inlined_begin.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "runtime/debug_info/location_text.h"
#include "runtime/debug_info/value_location.h"

namespace dtrace::runtime {
namespace {

constexpr size_t kMaxLooked = 64;

/// Empty: there is none.
std::string text_at(ObjectDebugInfo &info, DwarfParameter &parameter, uint64_t pc) {
  std::optional<CodePoint> point = info.point_at(pc);
  if (!point || !parameter.is_kept) return {};
  point->begins_call = true;
  const ValueLocation location = location_at(&parameter.die, *point, 1);
  if (location.kind == ValueLocation::Kind::kMissing || location.words.empty()) return {};
  return location_text(location.words, location.kind == ValueLocation::Kind::kMemory);
}

}  // namespace

uint64_t begin_of_arguments(ObjectDebugInfo &info, uint32_t call, std::span<const uint64_t> straight) {
  std::vector<DwarfParameter> parameters = info.functions().parameters(info.inlined().call(call).die);
  std::vector<std::string> known(parameters.size());
  uint64_t best = straight.front();
  size_t most = 0;
  for (const uint64_t pc : straight.first(std::min(straight.size(), kMaxLooked))) {
    size_t count = 0;
    for (size_t i = 0; i < parameters.size(); ++i) {
      const std::string text = text_at(info, parameters[i], pc);
      // It has been changed, or is about to be.
      if (!known[i].empty() && text != known[i]) return best;
      known[i] = text;
      count += text.empty() ? 0 : 1;
    }
    if (count > most) {
      most = count;
      best = pc;
    }
    if (count == parameters.size()) break;
  }
  return best;
}

}  // namespace dtrace::runtime
