// SPDX-License-Identifier: Apache-2.0
#include "runtime/events/loss.h"

namespace dtrace::runtime {
namespace {

struct CauseRow {
  std::string_view name, tag, text;
};
constexpr CauseRow kCauses[] = {
#define CAUSE(name, tag, text) {#name, tag, text},
#include "plan/causes.def"
};

}  // namespace

std::string_view cause_tag(Cause cause) { return kCauses[static_cast<size_t>(cause)].tag; }
std::string_view cause_name(Cause cause) { return kCauses[static_cast<size_t>(cause)].name; }
std::string_view cause_text(Cause cause) { return kCauses[static_cast<size_t>(cause)].text; }

}  // namespace dtrace::runtime
