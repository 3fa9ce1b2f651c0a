// SPDX-License-Identifier: Apache-2.0
#include "tracer/listener_sink.h"

#include <fmt/format.h>

#include <list>

#include "runtime/events/bucket_bounds.h"
#include "runtime/output/aggregation_options.h"
#include "runtime/output/json_value.h"
#include "runtime/print/messages.h"
#include "runtime/print/printf.h"
#include "runtime/print/system_names.h"
#include "runtime/symbols/managed_frames.h"

namespace dtrace::tracer {
namespace {

class ListenerSink final : public runtime::Sink {
 public:
  ListenerSink(libdtrace::Listener &listener, const ListenerParts &parts)
      : listener_(listener), parts_(parts), json_(parts.types, parts.symbolizer) {
    format_.target_pid = parts_.target_pid;
    format_.names = &names_;
    format_.text.symbolizer = &parts_.symbolizer;
  }

  void refresh(const Options &options) override {
    format_.text.stack_indent = static_cast<int>(options.number(Opt::stackindent));
    format_.text.raw_bytes = options.flag(Opt::rawbytes);
    aggregations_ = runtime::aggregation_options(options);
  }

  void begin_row(const runtime::RowEvent &row, const runtime::RowEvent *) override {
    rows_.push_back({probe_of(row.probe, row.function), row.cpu, row.time_ns, row.clause.name, {}});
  }
  void trace(const ActionPlan &action, const ValuePlan &plan, const runtime::Value &value) override {
    item(action).values.push_back(value_of(value, plan.type));
  }
  void object(const ActionPlan &action, const runtime::ObjectEvent &object) override {
    item(action).values.emplace_back(object_of(object.type, object.bytes));
  }
  void memory(const ActionPlan &action, std::string_view bytes) override {
    item(action).values.emplace_back(libdtrace::Object{{}, std::string(bytes), {}});
  }
  void formatted(const ActionPlan &action, std::span<const runtime::Value> values) override {
    libdtrace::Item &made = item(action);
    runtime::append_printf(made.text, *action.format, values, format_);
    for (size_t i = 0; i < values.size(); ++i) made.values.push_back(value_of(values[i], action.values[i].type));
  }
  void aggregations(const ActionPlan &action, runtime::AggregationViews views) override {
    libdtrace::Item &made = item(action);
    const runtime::SortOptions order = runtime::order_of(action, aggregations_.sort);
    for (const runtime::AggregationView *view : views) made.aggregations.push_back(aggregation_of(*view, order));
  }
  void did(const ActionPlan &action, std::string_view text, std::optional<int64_t> number) override {
    libdtrace::Item &made = item(action);
    made.text = text;
    if (number) made.values.emplace_back(*number);
  }
  void end_row(const runtime::RowEvent &) override {
    // A row that another one commits comes before it, as it happened before.
    const libdtrace::Row row = std::move(rows_.back());
    rows_.pop_back();
    listener_.row(row);
  }

  void fault(const runtime::FaultEvent &fault) override {
    libdtrace::Fault told{probe_of(*fault.probe, fault.probe->function),
                          std::string(fault.clause),
                          std::string(runtime::fault_text(fault.code)),
                          {}};
    if (fault.value != ~uint64_t{0}) told.value = fault.value;
    listener_.fault(told);
  }
  void more_faults(std::string_view clause, uint64_t count) override {
    listener_.message(fmt::format("{} more errors in {}", count, clause));
  }
  void failed(const runtime::RowEvent &row, std::string_view message) override {
    listener_.message(runtime::library_fault_text(row.clause.name, row.probe, message));
  }
  void lost(std::span<const runtime::Loss> losses) override {
    for (const runtime::Loss &loss : losses) listener_.lost(loss_of(loss));
  }

  void interrupted() override {}
  void remaining(runtime::AggregationViews views) override {
    for (const runtime::AggregationView *view : views) listener_.aggregation(aggregation_of(*view, aggregations_.sort));
  }
  void ended(int, std::span<const runtime::Loss>) override {}

  Result<Unit> redirect(const std::string &) override { return Error("a listener has no output to redirect"); }
  Result<Unit> truncate() override { return Error("a listener has no output to truncate"); }
  void flush() override {}

 private:
  libdtrace::Item &item(const ActionPlan &action) {
    return rows_.back().items.emplace_back(libdtrace::Item{std::string(dtrace::row(action.kind).name), {}, {}, {}});
  }

  static libdtrace::Probe probe_of(const Probe &probe, std::string_view function) {
    return {probe.id.value, probe.provider, probe.module, std::string(function), probe.name};
  }

  libdtrace::Loss loss_of(const runtime::Loss &loss) const {
    libdtrace::Loss made{
        std::string(runtime::cause_name(loss.cause)), std::string(runtime::cause_text(loss.cause)), loss.count, {}, {}};
    made.where = loss.clause == UINT32_MAX ? loss.program : parts_.plan.clauses[loss.clause].name;
    if (loss.cpu != UINT32_MAX) made.cpu = loss.cpu;
    return made;
  }

  libdtrace::Object object_of(TypeId type, std::string_view bytes) const {
    libdtrace::Object object{parts_.types.name(type), std::string(bytes), {}};
    runtime::JsonWriter writer(object.json);
    json_.append_object(writer, type, bytes);
    return object;
  }

  libdtrace::Stack stack_of(runtime::UserImage image, std::span<const uint64_t> frames) const {
    libdtrace::Stack stack{image.pid, {}};
    bool is_return = false;
    for (const uint64_t frame : frames) {
      if (frame == 0) break;
      const bool has_address = !runtime::is_managed(frame);
      if (image.pid == 0)
        stack.frames.push_back({frame, parts_.symbolizer.kernel_symbol(frame, true), {}, false, {}});
      else
        for (runtime::StackFrame &function : parts_.symbolizer.user_frames(image, frame, is_return))
          stack.frames.push_back({has_address ? frame : 0, std::move(function.symbol), std::move(function.source),
                                  function.is_inlined, std::string(function.language)});
      is_return |= has_address;
    }
    return stack;
  }

  libdtrace::Value value_of(const runtime::Value &value, TypeId type) const {
    struct Visitor {
      const ListenerSink &sink;
      TypeId type;

      libdtrace::Value operator()(const runtime::Integer &v) const {
        if (v.is_signed) return v.as_signed();
        return v.as_unsigned();
      }
      libdtrace::Value operator()(const runtime::Text &v) const { return std::string(v.view()); }
      libdtrace::Value operator()(const runtime::Bytes &v) const { return sink.object_of(type, v.bytes); }
      libdtrace::Value operator()(const runtime::KernelStack &v) const { return sink.stack_of(0, v.frames); }
      libdtrace::Value operator()(const runtime::UserStack &v) const { return sink.stack_of(v.pid, v.frames); }
      libdtrace::Value operator()(const runtime::Symbol &v) const {
        return libdtrace::Symbol{v.pid, v.address, runtime::symbol_text(v, sink.format_.text)};
      }
      libdtrace::Value operator()(const runtime::Floating &v) const { return v.value; }
    };
    return std::visit(Visitor{*this, type}, value);
  }

  libdtrace::Aggregation aggregation_of(const runtime::AggregationView &view, const runtime::SortOptions &order) const {
    const AggregationPlan &plan = parts_.plan.aggregations[view.id];
    libdtrace::Aggregation told{std::string(view.name), std::string(dtrace::row(plan.function).name), {}};
    for (const uint32_t index : runtime::sorted_entries(view, order)) {
      const runtime::AggregationEntry &entry = view.entries[index];
      libdtrace::AggregationEntry &made = told.entries.emplace_back();
      for (size_t i = 0; i < entry.keys.size(); ++i) made.keys.push_back(value_of(entry.keys[i], plan.keys[i].type));
      if (!view.shape.is_histogram()) {
        made.value = runtime::scalar_result(view.shape, entry.words, view.normal).value;
        continue;
      }
      for (uint32_t bucket = 0; bucket < entry.words.size(); ++bucket) {
        if (entry.words[bucket] == 0) continue;
        const runtime::BucketBounds bounds = bucket_bounds(view.shape, bucket);
        made.buckets.push_back({bounds.least, bounds.greatest,
                                runtime::normalised(static_cast<int64_t>(entry.words[bucket]), view.normal)});
      }
    }
    return told;
  }

  libdtrace::Listener &listener_;
  ListenerParts parts_;
  runtime::JsonValues json_;
  runtime::SystemNames names_;
  runtime::FormatContext format_;
  runtime::AggregationPrintOptions aggregations_;
  std::list<libdtrace::Row> rows_;  // open ones: one more is within a row that commits it
};

}  // namespace

std::unique_ptr<runtime::Sink> make_listener_sink(libdtrace::Listener &listener, const ListenerParts &parts) {
  return std::make_unique<ListenerSink>(listener, parts);
}

}  // namespace dtrace::tracer
