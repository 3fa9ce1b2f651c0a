// SPDX-License-Identifier: Apache-2.0
#include "runtime/merge/comparable.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace dtrace::runtime {
namespace {

constexpr std::string_view kProgram = "a.out";  // what D calls the program of -c and -p

std::string_view module_of(std::string_view text) { return text.substr(0, text.find('`')); }

/// "perf.map" for "perf-29412.map", "jit.dump" for "jit-7.dump"; another name as it is.
std::string without_pid(std::string_view module) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"perf", ".map"}, {"jit", ".dump"}};
  for (const auto &[first, last] : kNames) {
    if (!module.starts_with(first) || !module.ends_with(last) || module.size() < first.size() + last.size()) continue;
    const std::string_view pid = module.substr(first.size(), module.size() - first.size() - last.size());
    if (pid.size() > 1 && pid[0] == '-' && pid.find_first_not_of("0123456789", 1) == pid.npos)
      return std::string(first).append(last);
  }
  return std::string(module);
}

/// `program`: empty, or the module that becomes "a.out".
void rename(std::string &text, std::string_view program) {
  const std::string_view module = module_of(text);
  const std::string name = !program.empty() && module == program ? std::string(kProgram) : without_pid(module);
  text.replace(0, module.size(), name);
}

template <typename Run, typename Take>
void each_key(std::span<Run> runs, const Take &take) {
  for (Run &run : runs)
    for (auto &[name, aggregation] : run.aggregations)
      for (auto &entry : aggregation.entries)
        for (auto &key : entry.keys) take(run, key);
}

bool is_of_program(SymbolKind kind) {
  return kind == SymbolKind::kUsym || kind == SymbolKind::kUfunc || kind == SymbolKind::kUmod ||
         kind == SymbolKind::kUaddr;
}

std::set<std::string> stacks_of(std::span<const SavedRun> runs) {
  std::set<std::string> stacks;
  each_key(runs, [&](const SavedRun &, const SavedKey &key) {
    const auto *const stack = std::get_if<SavedStack>(&key);
    if (stack == nullptr || !stack->pid || stack->frames.empty()) return;
    std::string text;
    for (const SavedFrame &frame : stack->frames)
      for (const StackFrame &function : frame.functions)
        text.append(function.symbol, 0, function.symbol.rfind("+0x")).append(1, '\n');
    stacks.insert(std::move(text));
  });
  return stacks;
}

}  // namespace

void make_comparable(std::span<SavedRun> before, std::span<SavedRun> after) {
  std::set<std::string_view> programs;
  for (const std::span<SavedRun> runs : {before, after})
    for (const SavedRun &run : runs) programs.insert(run.program);
  const bool differ = programs.size() > 1;
  const auto rename_key = [&](const SavedRun &run, SavedKey &key) {
    const std::string_view program = differ ? std::string_view(run.program) : std::string_view();
    if (auto *const stack = std::get_if<SavedStack>(&key); stack != nullptr && stack->pid) {
      for (SavedFrame &frame : stack->frames)
        for (StackFrame &function : frame.functions)
          if (function.language.empty()) rename(function.symbol, program);
    } else if (auto *const symbol = std::get_if<SavedSymbol>(&key);
               symbol != nullptr && is_of_program(symbol->symbol.kind)) {
      rename(symbol->text, program);
    }
  };
  each_key(before, rename_key);
  each_key(after, rename_key);
}

bool share_stacks(std::span<const SavedRun> before, std::span<const SavedRun> after) {
  const std::set<std::string> ours = stacks_of(before), theirs = stacks_of(after);
  if (ours.empty() || theirs.empty()) return true;
  return std::ranges::any_of(ours, [&](const std::string &stack) { return theirs.contains(stack); });
}

}  // namespace dtrace::runtime
