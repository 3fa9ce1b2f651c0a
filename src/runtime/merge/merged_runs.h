// SPDX-License-Identifier: Apache-2.0
// Saved runs as one: values of equal keys merge by the consumer's own functions, so that halves of a run give what the
// whole run would have shown. A sink shows the result, as it shows a run's.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "runtime/consume/symbol_keys.h"
#include "runtime/events/aggregation_value.h"
#include "runtime/merge/saved_run.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::runtime {

/// The texts that addresses had in the runs.
class SavedSymbols final : public Symbolizer {
 public:
  void note(const SavedStack &stack);
  void note(const SavedSymbol &symbol);

  std::string kernel_symbol(uint64_t address, bool want_offset) override;
  std::string kernel_module(uint64_t address) override { return text_of(SymbolKind::kMod, 0, address); }
  std::string user_symbol(UserImage image, uint64_t address, bool want_offset) override;
  std::vector<StackFrame> user_frames(UserImage image, uint64_t address, bool is_return) override;
  std::string user_module(UserImage image, uint64_t address) override {
    return text_of(SymbolKind::kUmod, image.pid, address);
  }

 private:
  std::string text_of(SymbolKind kind, pid_t pid, uint64_t address) const;

  std::map<std::tuple<SymbolKind, pid_t, uint64_t>, std::string> texts_;
  std::map<std::tuple<pid_t, uint64_t, bool>, std::vector<StackFrame>> frames_;
};

/// Addresses and processes of one boot of one machine mean nothing on another: those of the first boot that is met
/// stay, and others get numbers that no other has. A kernel address gets that of an equal text, so that stacks of
/// machines whose kernels lie at different addresses merge. So do managed frames, which have a text and no address.
class BootSpaces {
 public:
  void translate(const std::string &boot, SavedKey &key);
  /// The boot of all of them; of several, a name that no other merge has.
  std::string name() const;

 private:
  uint64_t managed_address(const StackFrame &function);
  uint64_t kernel_address(size_t boot, const std::string &text, uint64_t address);
  pid_t process(size_t boot, pid_t pid);
  /// A frame in a file: what has one text is one function, in all runs.
  uint64_t file_address(const SavedFrame &frame);
  uint64_t file_address(std::string text);

  std::map<std::string, size_t> boots_;
  std::unordered_map<std::string, uint64_t> by_text_;
  std::map<std::tuple<std::string_view, std::string, std::string>, uint64_t> managed_;  // by language, symbol, source
  std::map<std::pair<size_t, pid_t>, pid_t> processes_;
  std::unordered_map<std::string, uint64_t> in_files_;
  uint64_t next_address_ = kFirstAddress;
  pid_t next_process_ = kFirstProcess;
  static constexpr uint64_t kFirstAddress = uint64_t{1} << 62;  // no machine has memory there
  static constexpr uint64_t kFirstFileAddress = uint64_t{1} << 32;
  static constexpr pid_t kFirstProcess = 1 << 24;  // more than Linux gives
};

class MergedRuns {
 public:
  /// Adds a run. Errors: an aggregation is another one than that of its name in the runs before.
  Result<Unit> add(SavedRun run);

  /// As far as sinks know it: aggregations and clauses by name.
  const Plan &plan() const { return plan_; }
  Symbolizer &symbolizer() { return symbols_; }
  /// In the order of the program. Valid until the next add().
  std::vector<const AggregationView *> views();
  const std::vector<Loss> &losses() const { return losses_; }
  int status() const { return status_; }
  std::string boot() const { return spaces_.name(); }
  /// That of SavedRun, if all have the same; else "".
  std::string program() const { return programs_.size() == 1 ? *programs_.begin() : std::string(); }

 private:
  struct Merged {
    SavedAggregation about;  ///< without entries
    std::unordered_map<std::string, size_t> by_key;
    std::deque<SavedEntry> entries;  // elements keep their addresses
    std::deque<std::vector<uint64_t>> frames;
  };

  Result<Unit> add(SavedAggregation &&saved, const std::string &boot);
  void add_losses(const SavedRun &run);
  Value value_of(const SavedKey &key, Merged &owner);

  std::map<std::string, Merged> merged_;
  SavedSymbols symbols_;
  BootSpaces spaces_;
  std::set<std::string> programs_;
  Plan plan_;
  std::vector<Loss> losses_;
  int status_ = 0;
  std::deque<AggregationView> views_;
  std::vector<MergedEntries> by_symbol_;
};

}  // namespace dtrace::runtime
