// SPDX-License-Identifier: Apache-2.0
#include "tracer/listener_sink.h"

#include <fmt/format.h>

#include <list>

#include "runtime/output/aggregation_options.h"
#include "runtime/output/json_value.h"
#include "runtime/print/messages.h"
#include "runtime/print/printf.h"
#include "runtime/print/system_names.h"

namespace dtrace {
namespace {

class ListenerSink final : public Sink {
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
    aggregations_ = aggregation_options(options);
  }

  void begin_row(const RowEvent &row, const RowEvent *) override {
    rows_.push_back({probe_of(row.probe, row.function), row.cpu, row.time_ns, row.clause.name, {}});
  }
  void trace(const ActionPlan &action, const ValuePlan &plan, const Value &value) override {
    item(action).values.push_back(value_of(value, plan.type));
  }
  void object(const ActionPlan &action, const ObjectEvent &object) override {
    item(action).values.emplace_back(object_of(object.type, object.bytes));
  }
  void memory(const ActionPlan &action, std::string_view bytes) override {
    item(action).values.emplace_back(libdtrace::Object{{}, std::string(bytes), {}});
  }
  void formatted(const ActionPlan &action, std::span<const Value> values) override {
    libdtrace::Item &made = item(action);
    append_printf(made.text, *action.format, values, format_);
    for (size_t i = 0; i < values.size(); ++i) made.values.push_back(value_of(values[i], action.values[i].type));
  }
  void aggregations(const ActionPlan &action, AggregationViews views) override {
    libdtrace::Item &made = item(action);
    for (const AggregationView *view : views) made.aggregations.push_back(aggregation_of(*view));
  }
  void did(const ActionPlan &action, std::string_view text, std::optional<int64_t> number) override {
    libdtrace::Item &made = item(action);
    made.text = text;
    if (number) made.values.emplace_back(*number);
  }
  void end_row(const RowEvent &) override {
    // A row that another one commits comes before it, as it happened before.
    const libdtrace::Row row = std::move(rows_.back());
    rows_.pop_back();
    listener_.row(row);
  }

  void fault(const FaultEvent &fault) override {
    libdtrace::Fault told{probe_of(*fault.probe, fault.probe->function),
                          std::string(fault.clause),
                          std::string(fault_text(fault.code)),
                          {}};
    if (fault.value != ~uint64_t{0}) told.value = fault.value;
    listener_.fault(told);
  }
  void more_faults(std::string_view clause, uint64_t count) override {
    listener_.message(fmt::format("{} more errors in {}", count, clause));
  }
  void failed(const RowEvent &row, std::string_view message) override {
    listener_.message(library_fault_text(row.clause.name, row.probe, message));
  }
  void lost(std::span<const Loss> losses) override {
    for (const Loss &loss : losses)
      listener_.lost({std::string(cause_name(loss.cause)), std::string(cause_text(loss.cause)), loss.count});
  }

  void interrupted() override {}
  void remaining(AggregationViews views) override {
    for (const AggregationView *view : views) listener_.aggregation(aggregation_of(*view));
  }
  void ended(int, std::span<const Loss>) override {}

  // Nothing is printed that could go elsewhere.
  Result<Unit> redirect(const std::string &) override { return ok(); }
  Result<Unit> truncate() override { return ok(); }
  void flush() override {}

 private:
  libdtrace::Item &item(const ActionPlan &action) {
    return rows_.back().items.emplace_back(libdtrace::Item{std::string(dtrace::row(action.kind).name), {}, {}, {}});
  }

  static libdtrace::Probe probe_of(const Probe &probe, std::string_view function) {
    return {probe.id.value, probe.provider, probe.module, std::string(function), probe.name};
  }

  libdtrace::Object object_of(TypeId type, std::string_view bytes) const {
    libdtrace::Object object{parts_.types.name(type), std::string(bytes), {}};
    JsonWriter writer(object.json);
    json_.append_object(writer, type, bytes);
    return object;
  }

  libdtrace::Stack stack_of(pid_t pid, std::span<const uint64_t> frames) const {
    libdtrace::Stack stack{pid, {}};
    for (const uint64_t frame : frames) {
      if (frame == 0) break;
      stack.frames.push_back({frame, pid == 0 ? parts_.symbolizer.kernel_symbol(frame, true)
                                              : parts_.symbolizer.user_symbol(pid, frame, true)});
    }
    return stack;
  }

  libdtrace::Value value_of(const Value &value, TypeId type) const {
    struct Visitor {
      const ListenerSink &sink;
      TypeId type;

      libdtrace::Value operator()(const Integer &v) const {
        if (v.is_signed) return v.as_signed();
        return v.as_unsigned();
      }
      libdtrace::Value operator()(const Text &v) const { return std::string(v.view()); }
      libdtrace::Value operator()(const Bytes &v) const { return sink.object_of(type, v.bytes); }
      libdtrace::Value operator()(const KernelStack &v) const { return sink.stack_of(0, v.frames); }
      libdtrace::Value operator()(const UserStack &v) const { return sink.stack_of(v.pid, v.frames); }
      libdtrace::Value operator()(const Symbol &v) const {
        return libdtrace::Symbol{v.pid, v.address, symbol_text(v, sink.format_.text)};
      }
      libdtrace::Value operator()(const Floating &v) const { return v.value; }
    };
    return std::visit(Visitor{*this, type}, value);
  }

  libdtrace::Aggregation aggregation_of(const AggregationView &view) const {
    const AggregationPlan &plan = parts_.plan.aggregations[view.id];
    libdtrace::Aggregation told{std::string(view.name), std::string(dtrace::row(plan.function).name), {}};
    for (const uint32_t index : sorted_entries(view, aggregations_.sort)) {
      const AggregationEntry &entry = view.entries[index];
      libdtrace::AggregationEntry &made = told.entries.emplace_back();
      for (size_t i = 0; i < entry.keys.size(); ++i) made.keys.push_back(value_of(entry.keys[i], plan.keys[i].type));
      if (!view.shape.is_histogram()) {
        made.value = scalar_result(view.shape, entry.words, view.normal).value;
        continue;
      }
      for (uint32_t bucket = 0; bucket < entry.words.size(); ++bucket) {
        if (entry.words[bucket] == 0) continue;
        const BucketBounds bounds = bucket_bounds(view.shape, bucket);
        made.buckets.push_back(
            {bounds.least, bounds.greatest, normalised(static_cast<int64_t>(entry.words[bucket]), view.normal)});
      }
    }
    return told;
  }

  libdtrace::Listener &listener_;
  ListenerParts parts_;
  JsonValues json_;
  SystemNames names_;
  FormatContext format_;
  AggregationPrintOptions aggregations_;
  std::list<libdtrace::Row> rows_;  // open ones: one more is within a row that commits it
};

}  // namespace

std::unique_ptr<Sink> make_listener_sink(libdtrace::Listener &listener, const ListenerParts &parts) {
  return std::make_unique<ListenerSink>(listener, parts);
}

}  // namespace dtrace
