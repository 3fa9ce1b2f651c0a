// SPDX-License-Identifier: Apache-2.0
// Tracepoints that share the code of a program. Each needs a program of its own: the kernel runs none twice on a CPU,
// and a tracepoint can fire while the program of another one runs. Where clauses ask for nothing whose type the event
// decides, these programs differ in the number of their probe only. They are compiled once, and loaded as copies.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "codegen/planning/layout.h"
#include "frontend/tree/walk.h"

namespace dtrace::codegen {
namespace {

constexpr size_t kMinCopies = 8;  // up to here a probe's number as a constant of its own program is worth more

/// What a clause asks of an event; a later one includes those before it.
enum class Asks : uint8_t { kNothing, kWords, kTypes };

bool is_raw_argument(Variable variable) { return variable >= Variable::k_arg0 && variable <= Variable::k_arg9; }

Asks asked_by(const tree::Clause &clause) {
  Asks asks = Asks::kNothing;
  walk(clause, [&](const tree::Expr &expr) {
    if (std::holds_alternative<tree::ArgRef>(expr.node)) asks = Asks::kTypes;
    const auto *variable = std::get_if<tree::BuiltinRef>(&expr.node);
    if (variable != nullptr && is_raw_argument(variable->var)) asks = std::max(asks, Asks::kWords);
  });
  return asks;
}

bool is_plain_tracepoint(const ProbeHook &hook) {
  return hook.hook.is<RawTracepointHook>() && hook.hook.selector == Selector::kSingle && hook.hook.derivation == 0 &&
         hook.also.empty();
}

}  // namespace

void share_tracepoints(const CompileInput &input, Layout &layout) {
  std::map<uint32_t, Asks> asked;  // by probe
  for (const ClauseLayout &clause : layout.clauses) {
    if (never_runs(*clause.clause)) continue;
    std::optional<Asks> asks;
    for (const ProbeId id : clause.clause->probes) {
      if (!is_plain_tracepoint(input.host.hook(id))) continue;
      if (!asks) asks = asked_by(*clause.clause);
      Asks &most = asked.try_emplace(id.value, Asks::kNothing).first->second;
      most = std::max(most, *asks);
    }
  }
  std::map<uint32_t, std::vector<uint32_t>> by_words;
  for (const auto &[id, asks] : asked) {
    if (asks == Asks::kTypes) continue;
    const size_t words = asks == Asks::kWords ? input.host.hook(ProbeId{id}).args.size() : 0;
    by_words[static_cast<uint32_t>(words)].push_back(id);
  }
  for (const auto &[words, ids] : by_words) {
    if (ids.size() < kMinCopies) continue;
    auto shared = std::make_unique<ProbeHook>();
    shared->hook.target = TracepointCopiesHook{words};
    shared->hook.selector = Selector::kCopy;
    if (words != 0) shared->args = input.host.hook(ProbeId{ids.front()}).args;
    for (const uint32_t id : ids) layout.instead.emplace(id, shared.get());
    layout.tracepoint_copies.emplace(words, std::move(shared));
  }
}

}  // namespace dtrace::codegen
