// SPDX-License-Identifier: Apache-2.0
#include "replay/row_leaves.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "frontend/tree/leaves.h"

namespace dtrace::replay {
namespace {

using evaluator::Fault;
using evaluator::MaybeText;
using evaluator::NotTold;
using CellKind = recording::Cell::Kind;

constexpr uint64_t kMix = 0x9e3779b97f4a7c15;

}  // namespace

uint64_t TextNumbers::number_of(std::string_view text) {
  if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
  const auto added = numbers_.emplace(std::string(text), texts_.size()).first;
  texts_.push_back(added->first);
  return added->second;
}

std::string_view TextNumbers::text(uint64_t number, Variable) {
  return number < texts_.size() ? texts_[number] : std::string_view();
}

bool is_told_by_rows(const recording::Reader &recording, Variable variable) {
  if (variable == Variable::k_walltimestamp)
    return recording.fact(kMonotonicFact) != nullptr && recording.fact(kRealtimeFact) != nullptr;
  return tree::is_fact_of_row(variable);
}

RowLeaves::RowLeaves(const recording::Reader &recording, FileCatalog &catalog, const tree::Unit &unit,
                     const TypeTable &types)
    : catalog_(catalog), time_(recording) {
  std::map<std::string, uint32_t> numbers;
  number_leaves(unit, types, numbers);
  nothing_.assign(numbers.size(), kNowhere);
  sets_.assign(recording.sets().size() + 1, nothing_);
  for (const recording::LeafSet &set : recording.sets()) {
    for (uint32_t position = 0; position < set.leaves.size(); ++position) {
      const uint32_t leaf = set.leaves[position];
      if (leaf == 0 || leaf > recording.leaves().size() || set.id >= sets_.size()) continue;
      const auto wanted = numbers.find(recording.leaves()[leaf - 1].identity);
      if (wanted != numbers.end()) sets_[set.id][wanted->second] = position;
    }
  }
  positions_ = &nothing_;
}

void RowLeaves::number_leaves(const tree::Unit &unit, const TypeTable &types,
                              std::map<std::string, uint32_t> &numbers) {
  std::vector<tree::LeafUse> uses;
  for (const tree::Program &program : unit.programs)
    for (const tree::Clause &clause : program.clauses)
      std::ranges::move(tree::leaves_of(unit, types, clause), std::back_inserter(uses));
  const size_t slots = std::bit_ceil(uses.size() * 2 + 2);
  slots_.resize(slots);
  shift_ = static_cast<unsigned>(64 - std::countr_zero(slots));
  for (const tree::LeafUse &use : uses) {
    if (use.depends_on_program) continue;
    const auto number = numbers.try_emplace(use.identity, static_cast<uint32_t>(numbers.size())).first->second;
    add_expr(use.expr, number);
  }
}

void RowLeaves::add_expr(const tree::Expr *expr, uint32_t number) {
  size_t at = (reinterpret_cast<uintptr_t>(expr) * kMix) >> shift_;
  while (slots_[at].expr != nullptr && slots_[at].expr != expr) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = {expr, number};
}

void RowLeaves::begin(const recording::Row &row) {
  row_ = row;
  is_error_ = false;
  probe_ = ProbeId{row.probe};
  const recording::Probe *probe = catalog_.recorded(probe_);
  const bool has_cells = probe != nullptr && probe->leaves < sets_.size() && !row.cells.empty();
  positions_ = has_cells ? &sets_[probe->leaves] : &nothing_;
}

void RowLeaves::begin_error(ProbeId error, std::span<const uint64_t> args) {
  is_error_ = true;
  probe_ = error;
  error_args_.assign(args.begin(), args.end());
}

void RowLeaves::end_error() {
  is_error_ = false;
  probe_ = ProbeId{row_.probe};
}

bool RowLeaves::is_error_argument(const tree::Expr &expr) const {
  if (!is_error_) return false;
  const auto *builtin = std::get_if<tree::BuiltinRef>(&expr.node);
  return builtin != nullptr && builtin->var >= Variable::k_arg0 && builtin->var <= Variable::k_arg9;
}

const recording::Cell *RowLeaves::cell_of(const tree::Expr &expr) const {
  size_t at = (reinterpret_cast<uintptr_t>(&expr) * kMix) >> shift_;
  while (slots_[at].expr != &expr) {
    if (slots_[at].expr == nullptr) return nullptr;
    at = (at + 1) & (slots_.size() - 1);
  }
  const uint32_t position = (*positions_)[slots_[at].number];
  if (position >= row_.cells.size() || is_error_argument(expr)) return nullptr;
  return &row_.cells[position];
}

const recording::Cell &RowLeaves::value_of(const tree::Expr &leaf) const {
  const recording::Cell *cell = cell_of(leaf);
  if (cell == nullptr || cell->kind == CellKind::kNothing) throw NotTold{&leaf};
  if (cell->kind == CellKind::kFault) throw Fault{static_cast<dt_fault>(cell->fault), cell->number};
  return *cell;
}

uint64_t RowLeaves::fact(const tree::Expr &leaf) const {
  const auto *builtin = std::get_if<tree::BuiltinRef>(&leaf.node);
  if (builtin == nullptr) throw NotTold{&leaf};
  switch (builtin->var) {
    case Variable::k_id:
      return probe_.value;
    case Variable::k_timestamp:
      return row_.time_ns;
    case Variable::k_walltimestamp:
      if (!time_.has_wall()) throw NotTold{&leaf};
      return time_.wall_ns(row_.time_ns);
    case Variable::k_cpu:
      return row_.cpu;
    case Variable::k_pid:
      return row_.thread >> 32;
    case Variable::k_tid:
      return row_.thread & 0xffffffff;
    default:
      throw NotTold{&leaf};
  }
}

uint64_t RowLeaves::number(const tree::Expr &leaf) {
  if (is_error_argument(leaf)) {
    const auto n =
        static_cast<size_t>(std::get<tree::BuiltinRef>(leaf.node).var) - static_cast<size_t>(Variable::k_arg0);
    return n < error_args_.size() ? error_args_[n] : 0;
  }
  if (cell_of(leaf) == nullptr) return fact(leaf);
  const recording::Cell &cell = value_of(leaf);
  switch (cell.kind) {
    case CellKind::kNumber:
      return cell.number;
    case CellKind::kText:
      return cgroups_.number_of(cell.bytes);
    case CellKind::kBytes: {
      uint64_t number = 0;
      std::memcpy(&number, cell.bytes.data(), std::min(cell.bytes.size(), sizeof number));
      return number;
    }
    default:
      return 0;
  }
}

MaybeText RowLeaves::text(const tree::Expr &leaf) {
  if (cell_of(leaf) == nullptr) {
    const auto *builtin = std::get_if<tree::BuiltinRef>(&leaf.node);
    if (builtin == nullptr) throw NotTold{&leaf};
    const Probe &probe = catalog_.probe(probe_);
    switch (builtin->var) {
      case Variable::k_probeprov:
        return probe.provider;
      case Variable::k_probemod:
        return probe.module;
      case Variable::k_probefunc:
        return probe.function;
      case Variable::k_probename:
        return probe.name;
      default:
        throw NotTold{&leaf};
    }
  }
  const recording::Cell &cell = value_of(leaf);
  switch (cell.kind) {
    case CellKind::kText:
      return std::string(cell.bytes);
    case CellKind::kBytes:
      return std::string(cell.bytes.substr(0, cell.bytes.find('\0')));
    case CellKind::kNull:
      return std::nullopt;
    default:
      throw NotTold{&leaf};
  }
}

std::vector<std::byte> RowLeaves::bytes(const tree::Expr &leaf) {
  const recording::Cell &cell = value_of(leaf);
  if (cell.kind == CellKind::kNumber) {
    const std::span raw = std::as_bytes(std::span(&cell.number, 1));
    return {raw.begin(), raw.end()};
  }
  const auto *begin = reinterpret_cast<const std::byte *>(cell.bytes.data());
  return {begin, begin + cell.bytes.size()};
}

}  // namespace dtrace::replay
