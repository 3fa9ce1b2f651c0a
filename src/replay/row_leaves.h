// SPDX-License-Identifier: Apache-2.0
// A recorded firing as the evaluator asks for it: the cells of its row, and the facts that every row has.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "evaluator/leaves.h"
#include "recording/reader.h"
#include "replay/file_catalog.h"
#include "replay/file_time.h"
#include "replay/firings.h"
#include "runtime/cgroups/cgroup_texts.h"

namespace dtrace::replay {

/// Numbers for the texts of names of cgroups: records of clauses have a number there, and the text is made when it is
/// shown.
class TextNumbers final : public runtime::CgroupTexts {
 public:
  uint64_t number_of(std::string_view text);
  std::string_view text(uint64_t number, Variable) override;

 private:
  std::map<std::string, uint64_t, std::less<>> numbers_;
  std::vector<std::string_view> texts_;  // by number, into numbers_
};

class RowLeaves final : public FiringLeaves {
 public:
  /// All of it outlives this. `unit`: its programs are final.
  RowLeaves(const recording::Reader &recording, FileCatalog &catalog, const tree::Unit &unit, const TypeTable &types);

  /// From now on the leaves are those of this firing. The row's cells are valid until the next call.
  void begin(const recording::Row &row);
  void begin_error(ProbeId error, std::span<const uint64_t> args) override;
  void end_error() override;

  bool tells(const tree::Expr &expr) override { return cell_of(expr) != nullptr; }
  uint64_t number(const tree::Expr &leaf) override;
  evaluator::MaybeText text(const tree::Expr &leaf) override;
  std::vector<std::byte> bytes(const tree::Expr &leaf) override;
  // Nothing is known of other memory.
  void read(Space, uint64_t, std::span<std::byte>) override { throw evaluator::NotTold{}; }
  std::string read_text(Space, uint64_t, uint64_t) override { throw evaluator::NotTold{}; }

  TextNumbers &cgroups() { return cgroups_; }

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  /// Gives each distinct leaf of the programs a number.
  void number_leaves(const tree::Unit &unit, const TypeTable &types, std::map<std::string, uint32_t> &numbers);
  void add_expr(const tree::Expr *expr, uint32_t number);
  /// Null: it is no leaf of the row.
  const recording::Cell *cell_of(const tree::Expr &expr) const;
  /// The leaf's cell, which has a value. Throws Fault and NotTold.
  const recording::Cell &value_of(const tree::Expr &leaf) const;
  /// Is it one of arg0 to arg9, and ERROR fires?
  bool is_error_argument(const tree::Expr &expr) const;
  uint64_t fact(const tree::Expr &leaf) const;

  FileCatalog &catalog_;
  /// By a hash of the expression's address: a table with free slots, since this is asked for most nodes of each firing.
  struct Slot {
    const tree::Expr *expr = nullptr;
    uint32_t number = 0;
  };
  std::vector<Slot> slots_;
  size_t nr_exprs_ = 0;
  unsigned shift_ = 64;
  /// By LeafSet: the positions of leaves in a row, by the numbers of leaves.
  std::vector<std::vector<uint32_t>> sets_;
  std::vector<uint32_t> nothing_;  // positions of a firing that was not recorded
  recording::Row row_;
  const std::vector<uint32_t> *positions_ = nullptr;
  ProbeId probe_;
  std::vector<uint64_t> error_args_;
  bool is_error_ = false;
  FileTime time_;
  TextNumbers cgroups_;
};

/// Facts of a recording: what CLOCK_MONOTONIC and CLOCK_REALTIME were at one time, in nanoseconds.
inline constexpr std::string_view kMonotonicFact = "clock.monotonic_ns", kRealtimeFact = "clock.realtime_ns";

/// Does every row of the recording tell the variable, so that it need not be among the leaves?
bool is_told_by_rows(const recording::Reader &recording, Variable variable);

}  // namespace dtrace::replay
