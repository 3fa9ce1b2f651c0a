// SPDX-License-Identifier: Apache-2.0
#include "recorder/recording_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <unordered_map>

#include "bpf/dt_unwind.h"
#include "recorder/name_recorder.h"
#include "runtime/symbols/managed_frames.h"

namespace dtrace::recorder {
namespace {

using recording::Cell;
using Clock = std::chrono::steady_clock;

constexpr auto kFlushEvery = std::chrono::seconds(1);  // what a killed run has not lost

uint64_t word_at(std::span<const std::byte> bytes, size_t offset) {
  uint64_t word = 0;
  if (offset + sizeof word <= bytes.size()) std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

std::string_view chars_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

class FileSink final : public RecordingSink {
 public:
  FileSink(const RecordingParts &parts, std::unique_ptr<runtime::Sink> shown)
      : recorded_(parts), names_(parts.symbolizer, parts.writer, parts.redaction), shown_(std::move(shown)) {
    const RecordedLeaves &leaves = parts.leaves;
    for (const RecordedLeaf &leaf : leaves.leaves) redacted_.push_back(redacted(leaf));
    define_leaves();
    for (uint32_t i = 0; i < leaves.probes.size(); i++)
      for (const ProbeId id : leaves.probes[i]) define(id, i + 1);
    define_names();
    leaf_bytes_.resize(parts.plan.clauses.size());
    for (const ClausePlan &clause : parts.plan.clauses)
      for (const ValuePlan &leaf : clause.leaves)
        leaf_bytes_[clause.index].push_back(static_cast<uint32_t>(parts.types.size_bytes(leaf.type)));
    size_t most = 0;
    for (const std::vector<uint32_t> &set : leaves.sets) most = std::max(most, set.size());
    texts_.resize(most);
  }

  void end_file() override {
    for (const pid_t pid : names_.ended())
      recorded_.writer.define(recording::Fact{"process.ended", std::to_string(pid)});
  }
  void begin_file() override {
    names_.begin_file();
    define_leaves();
    for (const ProbeId id : probes_) write(id, defined_.at(id.value));
    define_names();
  }

  void begin_row(const runtime::RowEvent &row, const runtime::RowEvent *next) override {
    if (!row.clause.records_firing) return shown_->begin_row(row, next);
    if (define(row.probe.id, set_of(row.clause)) != set_of(row.clause))
      return;  // another clause's rows are its firings
    cells_.clear();
    for (size_t i = 0; i < row.clause.leaves.size(); i++) cells_.push_back(cell_of(row, i));
    if (recorded_.redaction != nullptr) redact(row.clause);
    recorded_.writer.add({row.probe.id.value, row.cpu, row.time_ns.value_or(0), row.thread.value_or(0), cells_});
    if (recorded_.after_row) recorded_.after_row();
  }
  void end_row(const runtime::RowEvent &row) override {
    if (!row.clause.records_firing) shown_->end_row(row);
  }

  void lost(std::span<const runtime::Loss> losses) override {
    for (const runtime::Loss &loss : losses) {
      if (loss.clause < recorded_.leaves.first_clause) continue;  // the programs', which a replay loses again
      std::string where = loss.program;
      if (where.empty() && loss.cpu != UINT32_MAX) where = fmt::format("CPU {}", loss.cpu);
      recorded_.writer.lose({std::string(runtime::cause_name(loss.cause)), std::move(where), loss.count});
    }
    shown_->lost(losses);
  }
  void flush() override {
    shown_->flush();
    const Clock::time_point now = Clock::now();
    if (now < next_flush_) return;
    next_flush_ = now + kFlushEvery;
    recorded_.writer.flush();
  }
  std::optional<Error> failure() const override {
    return recorded_.writer.failure() ? recorded_.writer.failure() : shown_->failure();
  }

  // The rest is the programs'.
  void refresh(const Options &options) override { shown_->refresh(options); }
  void trace(const ActionPlan &action, const ValuePlan &plan, const runtime::Value &value) override {
    shown_->trace(action, plan, value);
  }
  void object(const ActionPlan &action, const runtime::ObjectEvent &object) override { shown_->object(action, object); }
  void memory(const ActionPlan &action, std::string_view bytes) override { shown_->memory(action, bytes); }
  void formatted(const ActionPlan &action, std::span<const runtime::Value> values) override {
    shown_->formatted(action, values);
  }
  void aggregations(const ActionPlan &action, runtime::AggregationViews views) override {
    shown_->aggregations(action, views);
  }
  void did(const ActionPlan &action, std::string_view text, std::optional<int64_t> number) override {
    if (shows_programs()) shown_->did(action, text, number);
  }
  void fault(const runtime::FaultEvent &fault) override { shown_->fault(fault); }
  void more_faults(std::string_view clause, uint64_t count) override { shown_->more_faults(clause, count); }
  void failed(const runtime::RowEvent &row, std::string_view message) override { shown_->failed(row, message); }
  void interrupted() override {
    if (shows_programs()) shown_->interrupted();
  }
  void remaining(runtime::AggregationViews views) override {
    if (shows_programs()) shown_->remaining(views);
  }
  void ended(int status, std::span<const runtime::Loss> losses) override {
    end_file();
    shown_->ended(status, losses);
  }
  Result<Unit> redirect(const std::string &path) override { return shown_->redirect(path); }
  Result<Unit> truncate() override { return shown_->truncate(); }
  uint64_t nr_lost_rows() const override { return shown_->nr_lost_rows(); }

 private:
  void define_leaves() {
    const RecordedLeaves &leaves = recorded_.leaves;
    for (uint32_t i = 0; i < leaves.leaves.size(); i++) {
      const RecordedLeaf &leaf = leaves.leaves[i];
      // What is withheld is found by no program: for replays it is not recorded.
      const std::string identity = redacted_[i].withheld ? "withheld by option redact" : leaf.identity;
      recorded_.writer.define(recording::Leaf{i + 1, identity, leaf.label, recorded_.types.name(leaf.expr->type)});
    }
    for (uint32_t i = 0; i < leaves.sets.size(); i++)
      recorded_.writer.define(recording::LeafSet{i + 1, leaves.sets[i]});
  }

  void define_names() {
    for (const RecordedDescription &description : recorded_.leaves.descriptions) define(description);
    for (const tree::Expr *symbol : recorded_.leaves.symbols) define(*symbol);
  }

  /// The probe's set: `set`, unless it was defined with another one.
  uint32_t define(ProbeId id, uint32_t set) {
    if (const auto [known, is_new] = defined_.try_emplace(id.value, set); !is_new) return known->second;
    probes_.push_back(id);
    write(id, set);
    return set;
  }

  void write(ProbeId id, uint32_t set) {
    const Probe &known = recorded_.probes.probe(id);
    recording::Probe probe;
    probe.id = id.value;
    probe.provider = known.provider;
    probe.module = known.module;
    probe.function = known.function;
    probe.name = known.name;
    if (std::string shown = recorded_.shown_function(id); shown != known.function)
      probe.shown_function = std::move(shown);
    probe.leaves = set;
    const Result<std::vector<ProbeArg>> args = recorded_.probes.args(id, recorded_.types);
    if (!args) probe.arguments_error = args.error().text();
    if (args)
      for (const ProbeArg &arg : *args) probe.arguments.push_back(argument_of(arg));
    recorded_.writer.define(probe);
  }

  void define(const RecordedDescription &description) {
    const ProbeDesc &desc = description.desc;
    recording::Description known{desc.provider, desc.module, desc.function, desc.name, {}};
    for (const ProbeId id : description.probes) known.probes.push_back(id.value);
    recorded_.writer.define(known);
  }

  void define(const tree::Expr &expr) {
    const auto &symbol = std::get<tree::SymbolRef>(expr.node);
    recorded_.writer.define(recording::Symbol{.module = symbol.module,
                                              .name = symbol.name,
                                              .type = recorded_.types.name(expr.type),
                                              .address = symbol.address,
                                              .cpu_offsets = symbol.cpu_offsets,
                                              .is_function = symbol.is_function});
    names_.kernel_address(symbol.address);
  }

  /// Do the programs run, too?
  bool shows_programs() const { return recorded_.leaves.first_clause != 0; }
  uint32_t set_of(const ClausePlan &clause) const { return clause.index - recorded_.leaves.first_clause + 1; }

  recording::Argument argument_of(const ProbeArg &arg) const {
    return {recorded_.types.name(arg.native),
            recorded_.types.name(arg.translated),
            arg.undefined,
            arg.missing,
            arg.name,
            arg.source,
            static_cast<uint8_t>(arg.place),
            static_cast<uint8_t>(arg.space)};
  }

  struct RedactedLeaf {
    LeafContent content = LeafContent::kAny;
    bool withheld = false;
    bool is_char_array = false;
    size_t max_bytes = 0;  ///< of a text
  };
  RedactedLeaf redacted(const RecordedLeaf &leaf) const {
    const TypeTable &types = recorded_.types;
    const TypeId type = leaf.expr->type;
    RedactedLeaf redacted;
    redacted.content = content_of(leaf.identity, leaf.label);
    redacted.is_char_array = types.is_char_array(type);
    redacted.max_bytes =
        redacted.is_char_array || types.is_string(type) ? types.size_bytes(type) - 1 : types.strsize() - 1;
    redacted.withheld = recorded_.redaction != nullptr && may_hide_texts(types, type);
    if (redacted.withheld && recorded_.report)
      recorded_.report(
          fmt::format("warning: '{}' is not recorded: option redact cannot find the texts within a value of type {}",
                      leaf.label, types.name(type)));
    return redacted;
  }

  /// Texts of the row's cells become digests, which lie in texts_.
  void redact(const ClausePlan &clause) {
    const std::vector<uint32_t> &set = recorded_.leaves.sets[set_of(clause) - 1];
    for (size_t i = 0; i < cells_.size() && i < set.size(); i++) {
      const RedactedLeaf &leaf = redacted_[set[i] - 1];
      Cell &cell = cells_[i];
      if (leaf.withheld) cell = {};
      if (cell.kind == Cell::Kind::kText) {
        texts_[i] = recorded_.redaction->text(cell.bytes, leaf.content, leaf.max_bytes);
        cell.bytes = texts_[i];
      } else if (cell.kind == Cell::Kind::kBytes && leaf.is_char_array) {
        const size_t size_bytes = cell.bytes.size();
        texts_[i] =
            recorded_.redaction->text(cell.bytes.substr(0, cell.bytes.find('\0')), leaf.content, leaf.max_bytes);
        texts_[i].resize(size_bytes);
        cell.bytes = texts_[i];
      }
    }
  }

  Cell cell_of(const runtime::RowEvent &row, size_t index) {
    const ValuePlan &plan = row.clause.leaves[index];
    if (plan.offset + size_t{plan.size_bytes} > row.bytes.size()) return {};
    const std::span<const std::byte> bytes = row.bytes.subspan(plan.offset, plan.size_bytes);
    const auto outcome = std::to_integer<uint8_t>(row.bytes[row.clause.leaf_outcome_offset + index]);
    if (outcome == ClausePlan::kLeafIsNull) return {Cell::Kind::kNull, 0, 0, {}};
    if (outcome != 0) return {Cell::Kind::kFault, outcome, word_at(bytes, 0), {}};
    return value_of(plan, bytes, leaf_bytes_[row.clause.index][index]);
  }

  Cell value_of(const ValuePlan &plan, std::span<const std::byte> bytes, uint32_t size_bytes) {
    const std::string_view chars = chars_of(bytes);
    switch (plan.kind) {
      case ValuePlan::Kind::kInteger:
        return {Cell::Kind::kNumber, 0, word_at(bytes, 0), {}};
      case ValuePlan::Kind::kKernelSymbol:
        names_.kernel_address(word_at(bytes, 0));
        return {Cell::Kind::kNumber, 0, word_at(bytes, 0), {}};
      case ValuePlan::Kind::kString:
        return {Cell::Kind::kText, 0, 0, chars.substr(0, chars.find('\0'))};
      case ValuePlan::Kind::kCgroupName: {
        const uint64_t cgroup = word_at(bytes, 0);
        return {Cell::Kind::kText, 0, 0,
                recorded_.cgroups == nullptr ? std::string_view() : recorded_.cgroups->text(cgroup, plan.part)};
      }
      case ValuePlan::Kind::kKernelStack:
      case ValuePlan::Kind::kUserStack:
      case ValuePlan::Kind::kStack:
        return {Cell::Kind::kBytes, 0, 0, chars.substr(0, name_stack(plan, bytes))};
      case ValuePlan::Kind::kUserSymbol: {
        const uint64_t owner = word_at(bytes, 0);
        names_.user_address({static_cast<pid_t>(owner), static_cast<uint32_t>(owner >> DT_IMAGE_SHIFT)},
                            word_at(bytes, 8));
        return {Cell::Kind::kBytes, 0, 0, chars};
      }
      case ValuePlan::Kind::kFloat:
      case ValuePlan::Kind::kBytes:
        return {Cell::Kind::kBytes, 0, 0, chars.substr(0, size_bytes)};
      case ValuePlan::Kind::kConstString:
      case ValuePlan::Kind::kProbePart:
        return {};  // every row tells it
    }
    return {};
  }

  /// Out: bytes up to where its frames end.
  size_t name_stack(const ValuePlan &plan, std::span<const std::byte> bytes) {
    const bool has_owner = plan.kind != ValuePlan::Kind::kKernelStack;
    const uint64_t owner = has_owner ? word_at(bytes, 0) : 0;
    const runtime::UserImage image(static_cast<pid_t>(owner), static_cast<uint32_t>(owner >> DT_IMAGE_SHIFT));
    size_t end = has_owner ? 8 : 0;
    bool is_return = false;
    for (; end + 8 <= bytes.size(); end += 8) {
      const uint64_t address = word_at(bytes, end);
      if (address == 0) break;
      if (owner == 0) {
        names_.kernel_address(address);
        continue;
      }
      names_.user_frame(image, address, is_return);
      is_return |= !runtime::is_managed(address);
    }
    return end;
  }

  const RecordingParts recorded_;
  NameRecorder names_;
  const std::unique_ptr<runtime::Sink> shown_;
  std::unordered_map<uint32_t, uint32_t> defined_;  // sets of probes
  std::vector<ProbeId> probes_;                     // that are defined, in that order
  std::vector<std::vector<uint32_t>> leaf_bytes_;   // by clause and leaf: sizes of the types
  std::vector<RedactedLeaf> redacted_;              // by number of leaf - 1
  std::vector<std::string> texts_;                  // redacted ones of the row, by cell
  std::vector<Cell> cells_;
  Clock::time_point next_flush_ = Clock::now() + kFlushEvery;
};

}  // namespace

std::unique_ptr<RecordingSink> make_recording_sink(const RecordingParts &parts, std::unique_ptr<runtime::Sink> shown) {
  return std::make_unique<FileSink>(parts, std::move(shown));
}

}  // namespace dtrace::recorder
