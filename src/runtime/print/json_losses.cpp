// SPDX-License-Identifier: Apache-2.0
#include "runtime/print/json_losses.h"

namespace dtrace::runtime {

void append_losses(JsonWriter &json, std::span<const Loss> losses, const Plan &plan) {
  json.key("losses").begin_array();
  for (const Loss &loss : losses) {
    json.begin_object().member("cause", cause_name(loss.cause)).member("tag", cause_tag(loss.cause));
    if (loss.clause != UINT32_MAX) json.member("clause", std::string_view(plan.clauses[loss.clause].name));
    if (loss.cpu != UINT32_MAX) json.member("cpu", loss.cpu);
    const bool is_late = loss.cause == Cause::kLateSites;
    if (!loss.program.empty()) json.member(is_late ? "file" : "program", std::string_view(loss.program));
    if (is_late) json.member("longest_ns", loss.longest_ns);
    if (has_known_count(loss.cause))
      json.member("count", loss.count);
    else
      json.member("times", loss.count).key("count").null();
    json.end_object();
  }
  json.end_array();
}

}  // namespace dtrace::runtime
