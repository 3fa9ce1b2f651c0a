// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/run_facts.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <map>

#include "base/printable.h"

namespace dtrace::runtime {
namespace {

/// "12 record: ring buffer full (dt_clause_0)"; those of all CPUs are one.
std::vector<std::string> loss_texts(std::span<const Loss> losses, const Plan &plan) {
  std::map<std::string, uint64_t> counts;
  std::vector<std::string> texts;
  for (const Loss &loss : losses) {
    if (!has_known_count(loss.cause)) {
      const std::string file = loss.program.empty() ? std::string() : fmt::format(" ({})", printable(loss.program));
      texts.push_back(fmt::format("unknown number: {}{}", cause_text(loss.cause), file));
      continue;
    }
    std::string text(cause_text(loss.cause));
    if (!loss.program.empty()) text += fmt::format(" ({})", printable(loss.program));
    if (loss.clause < plan.clauses.size()) text += fmt::format(" ({})", plan.clauses[loss.clause].name);
    counts[text] += loss.count;
  }
  for (const auto &[text, count] : counts) texts.push_back(fmt::format("{} {}", count, text));
  return texts;
}

}  // namespace

RunFacts run_facts(const SinkParts &parts, const RunClock &clock, std::span<const Loss> losses,
                   const std::vector<std::string> &left_out, uint64_t faults) {
  RunFacts facts;
  facts.title = parts.title;
  facts.command = parts.command;
  facts.scripts = parts.scripts;
  utsname system{};
  if (parts.boot.empty() && uname(&system) == 0) {
    facts.host = system.nodename;
    facts.kernel = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  }
  if (clock.began_ns() != 0) {
    facts.began = wall_time_text(clock.began_ns());
    facts.lasted_ns = clock.lasted_ns();
  }
  facts.incomplete = loss_texts(losses, parts.plan);
  if (faults != 0) facts.incomplete.push_back(fmt::format("{} firings ended by an error", faults));
  facts.incomplete.insert(facts.incomplete.end(), left_out.begin(), left_out.end());
  return facts;
}

void append_run_facts(JsonWriter &json, const RunFacts &facts) {
  json.key("run").begin_object();
  const auto text = [&](std::string_view name, const std::string &value) {
    if (!value.empty()) json.member(name, std::string_view(value));
  };
  text("title", facts.title);
  text("command", facts.command);
  text("scripts", facts.scripts);
  text("host", facts.host);
  text("kernel", facts.kernel);
  text("began", facts.began);
  if (facts.lasted_ns != 0) json.member("lasted_ns", facts.lasted_ns);
  json.key("incomplete").begin_array();
  for (const std::string &sentence : facts.incomplete) json.value(std::string_view(sentence));
  json.end_array().end_object();
}

void append_quantity(JsonWriter &json, Quantity quantity) {
  static constexpr std::string_view kWords[] = {"", "time", "bytes", "samples"};
  if (quantity.kind == Quantity::Kind::kNumber) return;
  json.member("quantity", kWords[static_cast<size_t>(quantity.kind)]).member("step", quantity.step);
}

}  // namespace dtrace::runtime
