// SPDX-License-Identifier: Apache-2.0
#include "capi/row_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "runtime/print/aggregation_print.h"
#include "runtime/print/messages.h"

namespace dtrace::capi {
namespace {

struct DropKindRow {
  runtime::DropKind kind;
  dtrace_dropkind_t shown;
};
constexpr DropKindRow kKinds[] = {
    {runtime::DropKind::kPrincipal, DTRACEDROP_PRINCIPAL},
    {runtime::DropKind::kAggregation, DTRACEDROP_AGGREGATION},
    {runtime::DropKind::kDynamic, DTRACEDROP_DYNAMIC},
    {runtime::DropKind::kSpeculation, DTRACEDROP_SPEC},
    {runtime::DropKind::kSpeculationUnavailable, DTRACEDROP_SPECUNAVAIL},
    {runtime::DropKind::kDoubleError, DTRACEDROP_DBLERROR},
};

dtrace_dropkind_t shown(runtime::DropKind kind) { return std::ranges::find(kKinds, kind, &DropKindRow::kind)->shown; }

static_assert(uint32_t{runtime::Piece::kKey} == DTRACE_BUFDATA_AGGKEY &&
              uint32_t{runtime::Piece::kValue} == DTRACE_BUFDATA_AGGVAL &&
              uint32_t{runtime::Piece::kFormat} == DTRACE_BUFDATA_AGGFORMAT &&
              uint32_t{runtime::Piece::kLast} == DTRACE_BUFDATA_AGGLAST);

/// For decoding again: the consumer has already noted the row's processes.
class Nobody final : public runtime::ProcessWatcher {
 public:
  void saw_process(pid_t) override {}
};
Nobody nobody;

}  // namespace

// ---------------------------------------------------------------- text

/// The text sink's, which writes nothing by itself.
class PartCollector::NoOutput final : public runtime::Output {
 protected:
  Result<Unit> write(std::string_view text, size_t &written) override {
    written = text.size();
    return ok();
  }
  void cut_target(size_t) override {}
  Result<Unit> open_target(const std::string &) override { return ok(); }
  void restore_target() override {}
  void truncate_target() override {}
};

class PartCollector::Pieces final : public runtime::Pieces {
 public:
  explicit Pieces(PartCollector &collector) : runtime::Pieces(text_), collector_(collector) {}

  void end(const runtime::Piece &piece) override {
    std::string text = std::exchange(text_, {});
    if (text.empty() || collector_.parts_into_ == nullptr) return;
    std::shared_ptr<AggregationData> aggregation;
    if (piece.entry != nullptr) {
      if (piece.entry != last_entry_) last_ = collector_.copy_(*piece.view, *piece.entry);
      last_entry_ = piece.entry;
      aggregation = last_;
      if (piece.flags & runtime::Piece::kLast) last_entry_ = nullptr;  // another one may come to lie there
    }
    collector_.parts_into_->push_back({std::move(text), piece.flags, std::move(aggregation)});
  }
  void row_done() override {}

 private:
  PartCollector &collector_;
  std::string text_;
  const runtime::AggregationEntry *last_entry_ = nullptr;
  std::shared_ptr<AggregationData> last_;
};

PartCollector::PartCollector() : no_output_(std::make_unique<NoOutput>()) {}
PartCollector::~PartCollector() = default;

RowSink::RowSink(RowSinkParts parts)
    : TextSink({*no_output_, parts.symbolizer, parts.types, parts.plan, parts.target_pid, false, false, {}},
               std::make_unique<Pieces>(static_cast<PartCollector &>(*this))),
      c_(std::move(parts)),
      decoder_(c_.host, c_.types, nobody, c_.cgroups),
      enabled_(c_.types, c_.strsize),
      layouts_(aggregation_layouts(c_.plan, c_.types, c_.strsize)) {
  copy_ = [this](const runtime::AggregationView &view, const runtime::AggregationEntry &entry) {
    return copy(view, entry);
  };
}

RowSink::~RowSink() = default;

std::shared_ptr<AggregationData> RowSink::copy(const runtime::AggregationView &view,
                                               const runtime::AggregationEntry &entry) {
  return std::make_shared<AggregationData>(c_.handle, layouts_[view.id], c_.plan.aggregations[view.id], view, entry,
                                           c_.nr_cpus);
}

std::vector<TextPart> RowSink::print(runtime::AggregationViews views) {
  std::vector<const runtime::AggregationView *> wanted;
  for (const runtime::AggregationView *view : views)
    if (!was_printed(view->id)) wanted.push_back(view);
  std::vector<TextPart> parts;
  parts_into_ = &parts;
  print_aggregations(pieces(), wanted, aggregation_printing(), format());
  parts_into_ = nullptr;
  return parts;
}

std::vector<TextPart> RowSink::print(const runtime::AggregationView &view, const runtime::AggregationEntry &entry) {
  std::vector<TextPart> parts;
  if (was_printed(view.id)) return parts;
  const runtime::AggregationView one{view.id, view.name, view.shape, view.normal, {entry}};
  parts_into_ = &parts;
  print_aggregation(pieces(), one, aggregation_printing(), format());
  parts_into_ = nullptr;
  return parts;
}

void RowSink::refresh(const Options &options) {
  TextSink::refresh(options);
  flowindent_ = options.flag(Opt::flowindent);
  flow_.set_flowindent(flowindent_);
  tags_drops_ = options.flag(Opt::droptags);
  ends_when_full_ = options.string(Opt::bufpolicy) == "fill";
}

// ---------------------------------------------------------------- rows

void RowSink::begin_row(const runtime::RowEvent &row, const runtime::RowEvent *next) {
  const auto made = std::make_shared<Row>();
  made->enabled = &enabled_.of(row.clause, row.probe, row.function);
  made->cpu = row.cpu;
  made->data = data_of(*made->enabled, row, decoder_);
  if (flowindent_) {
    std::optional<runtime::RowSite> following;
    if (next != nullptr) following = runtime::site_of(*next);
    made->has_flow = true;
    made->flow = flow_.take_step(runtime::site_of(row), following ? &*following : nullptr);
  }
  begin_line();
  open_.push_back(made);
  open_events_.push_back(&row);
}

void RowSink::begin_item(const ActionPlan &action) {
  Row &row = *open_.back();
  const auto number = static_cast<size_t>(&action - open_events_.back()->clause.actions.data());
  Item &item = row.items.emplace_back();
  item.record = row.enabled->first_records[number];
  TextSink::begin_item(action);
  parts_into_ = &item.parts;
}

void RowSink::aggregations(const ActionPlan &action, runtime::AggregationViews views) {
  for (const runtime::AggregationView *view : views) {
    printed_.insert(view->id);
    layouts_[view->id].description->dtagd_flags |= DTRACE_AGD_PRINTED;
  }
  TextSink::aggregations(action, views);
}

void RowSink::did(const ActionPlan &action, std::string_view what, std::optional<int64_t> value) {
  begin_item(action);
  parts_into_ = nullptr;
  TextSink::did(action, what, value);
  runs_command_ = action.kind == Builtin::k_system;
}

void RowSink::end_row(const runtime::RowEvent &) {
  parts_into_ = nullptr;
  open_.back()->is_complete = true;
  c_.events.emplace_back(std::move(open_.back()));
  open_.pop_back();
  open_events_.pop_back();
}

// ---------------------------------------------------------------- the output

Result<Unit> RowSink::redirect(const std::string &path) {
  Item &item = open_.back()->items.back();
  if (!path.empty()) {
    FILE *const file = std::fopen(path.c_str(), "ae");
    if (file == nullptr) return Error::from_errno(path, errno);
    item.target = std::shared_ptr<FILE>(file, [](FILE *opened) { (void)std::fclose(opened); });
  }
  item.then = Item::Then::kRedirect;
  return ok();
}

Result<Unit> RowSink::truncate() {
  open_.back()->items.back().then = Item::Then::kTruncate;
  return ok();
}

void RowSink::flush() {
  if (std::exchange(runs_command_, false)) c_.hand_over(open_);
}

// ---------------------------------------------------------------- beside rows

const EnabledProbe *RowSink::enabled_of(std::string_view clause, const Probe &probe) {
  const auto found = std::ranges::find(c_.plan.clauses, clause, &ClausePlan::name);
  return found == c_.plan.clauses.end() ? nullptr : &enabled_.of(*found, probe, probe.function);
}

void RowSink::fault(const runtime::FaultEvent &fault) {
  Fault made;
  made.enabled = enabled_of(fault.clause, *fault.probe);
  made.code = static_cast<int>(fault.code);
  if (fault.value != ~uint64_t{0}) made.address = fault.value;
  if (fault.pc) made.offset = static_cast<int>(*fault.pc);
  made.message = runtime::fault_report_text(fault) + '\n';
  c_.events.emplace_back(std::move(made));
}

void RowSink::more_faults(std::string_view clause, uint64_t count) {
  Fault made;
  made.message = fmt::format("{} more errors in {}\n", count, clause);
  c_.events.emplace_back(std::move(made));
}

void RowSink::failed(const runtime::RowEvent &row, std::string_view message) {
  Fault made;
  made.enabled = &enabled_.of(row.clause, row.probe, row.function);
  made.code = DTRACEFLT_LIBRARY;
  made.message = runtime::library_fault_text(row.clause.name, row.probe, message) + '\n';
  c_.events.emplace_back(std::move(made));
}

void RowSink::lost(std::span<const runtime::Loss> losses) {
  std::map<std::pair<runtime::DropKind, unsigned>, uint64_t> drops;
  for (const runtime::Loss &loss : losses) {
    const std::optional<runtime::DropKind> kind = runtime::drop_kind(loss.cause);
    if (kind) {
      // A full buffer is how policy fill ends.
      if (loss.cause == Cause::kRingFull && ends_when_full_) continue;
      const bool per_cpu = *kind == runtime::DropKind::kPrincipal || *kind == runtime::DropKind::kAggregation;
      drops[{*kind, per_cpu ? loss.cpu : UINT32_MAX}] += loss.count;
    } else if (!runtime::is_silent(loss.cause)) {
      std::string text = fmt::format("{} {}", loss.count, runtime::cause_text(loss.cause));
      if (!loss.program.empty()) text += fmt::format(" ({})", loss.program);
      const int cpu = loss.cpu == UINT32_MAX ? DTRACE_CPUALL : static_cast<int>(loss.cpu);
      c_.events.emplace_back(Drop{DTRACEDROP_PRINCIPAL, cpu, loss.count, false, text + '\n'});
    }
  }
  for (const auto &[key, count] : drops) {
    const auto [kind, cpu] = key;
    std::string text = runtime::drop_text(kind, count, cpu, tags_drops_) + '\n';
    c_.events.emplace_back(
        Drop{shown(kind), cpu == UINT32_MAX ? DTRACE_CPUALL : static_cast<int>(cpu), count, true, std::move(text)});
  }
}

}  // namespace dtrace::capi
