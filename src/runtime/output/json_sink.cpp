// SPDX-License-Identifier: Apache-2.0
// JSON lines: one object a line, each with a member "type". doc/json-output.md says what they hold, and
// doc/json-output.schema.json says it to programs; a change that breaks readers is a new version.
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <list>

#include "base/printable.h"
#include "base/read_file.h"
#include "runtime/output/aggregation_options.h"
#include "runtime/output/formats.h"
#include "runtime/output/json_exact.h"
#include "runtime/output/json_value.h"
#include "runtime/output/row_values.h"
#include "runtime/output/wall_time.h"
#include "runtime/print/json.h"
#include "runtime/print/json_losses.h"
#include "runtime/print/messages.h"
#include "runtime/print/printf.h"
#include "runtime/print/system_names.h"

namespace dtrace::runtime {
namespace {

constexpr int kVersion = 1;

/// The kernel's id of the current boot; "" if there is none.
std::string boot_id() {
  const Result<std::string> text = read_file("/proc/sys/kernel/random/boot_id");
  return text ? text->substr(0, text->find('\n')) : "";
}

/// How frames name what a process executes; "" if it has ended, or cannot be inspected.
std::string program_of(pid_t pid) {
  if (pid == 0) return "";
  std::error_code error;
  std::string path = std::filesystem::read_symlink(fmt::format("/proc/{}/exe", pid), error).string();
  constexpr std::string_view kDeleted = " (deleted)";
  if (path.ends_with(kDeleted)) path.resize(path.size() - kDeleted.size());
  return printable(std::string_view(path).substr(path.rfind('/') + 1));
}

class JsonSink final : public Sink {
 public:
  explicit JsonSink(const SinkParts &parts) : parts_(parts), values_(parts.types, parts.symbolizer) {
    format_.target_pid = parts_.target_pid;
    format_.names = &names_;
    format_.text.symbolizer = &parts_.symbolizer;
    begin_file();
  }

  void refresh(const Options &options) override {
    format_.text.stack_indent = static_cast<int>(options.number(Opt::stackindent));
    format_.text.raw_bytes = options.flag(Opt::rawbytes);
    aggregations_ = aggregation_options(options);
    stamps_ = options.flag(Opt::stamp);
  }

  void begin_row(const RowEvent &row, const RowEvent *) override {
    rows_.emplace_back();
    JsonWriter &json = rows_.back().json;
    json.begin_object().member("type", "row");
    append_probe(json, row.probe, row.function);
    json.member("cpu", row.cpu);
    if (row.time_ns) json.member("time_ns", *row.time_ns);
    if (stamps_) json.member("time", std::string_view(row_stamp(row, parts_.time())));
    json.member("clause", std::string_view(row.clause.name)).key("data").begin_array();
  }

  void trace(const ActionPlan &action, const ValuePlan &plan, const Value &value) override {
    item(action, [&](JsonWriter &json) {
      json.key("value");
      values_.append(json, value, plan.type);
      if (!name_of(value).empty()) json.member("name", name_of(value));
    });
  }

  void object(const ActionPlan &action, const ObjectEvent &object) override {
    item(action, [&](JsonWriter &json) {
      json.member("ctype", std::string_view(parts_.types.name(object.type)));
      if (object.address) json.member("address", std::string_view(fmt::format("0x{:x}", *object.address)));
      json.key("value");
      values_.append_object(json, object.type, object.bytes);
    });
  }

  void memory(const ActionPlan &action, std::string_view bytes) override {
    item(action, [&](JsonWriter &json) {
      std::string digits;
      for (const char c : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
      json.member("bytes", std::string_view(digits));
    });
  }

  void formatted(const ActionPlan &action, std::span<const Value> values) override {
    item(action, [&](JsonWriter &json) {
      std::string text;
      append_printf(text, *action.format, values, format_);
      json.member("text", std::string_view(text)).key("values").begin_array();
      std::vector<Value> shown;
      for (const PrintfArgument &argument : printf_arguments(*action.format, values)) {
        values_.append(json, argument.value, printf_type(action, argument));
        shown.push_back(argument.value);
      }
      json.end_array();
      JsonValues::append_names(json, "value_names", shown);
    });
  }

  void aggregations(const ActionPlan &action, AggregationViews views) override {
    item(action, [&](JsonWriter &json) {
      json.key("aggregations").begin_array();
      for (const AggregationView *view : views) {
        json.begin_object();
        append_aggregation(json, *view, order_of(action, aggregations_.sort), false);
        if (shows_rates(action)) json.member("counted_ns", view->counted_ns);
        json.end_object();
      }
      json.end_array();
    });
  }

  void did(const ActionPlan &action, std::string_view text, std::optional<int64_t> number) override {
    item(action, [&](JsonWriter &json) {
      if (!text.empty()) json.member("text", text);
      if (number) json.member("number", *number);
      if (action.aggregations.empty()) return;
      json.key("names").begin_array();
      for (const uint32_t index : action.aggregations)
        json.value(std::string_view(parts_.plan.aggregations[index].name));
      json.end_array();
    });
  }

  void end_row(const RowEvent &) override {
    rows_.back().json.end_array().end_object();
    // A row that another one commits comes before it, as it happened before.
    line(rows_.back().text);
    rows_.pop_back();
  }

  void fault(const FaultEvent &fault) override {
    write([&](JsonWriter &json) {
      json.member("type", "fault").member("message", fault_text(fault.code)).member("clause", fault.clause);
      append_probe(json, *fault.probe, fault.probe->function);
      if (fault.value != ~uint64_t{0}) json.member("value", fault.value);
    });
  }
  void more_faults(std::string_view clause, uint64_t count) override {
    write(
        [&](JsonWriter &json) { json.member("type", "more-faults").member("clause", clause).member("count", count); });
  }
  void failed(const RowEvent &row, std::string_view message) override {
    write([&](JsonWriter &json) {
      json.member("type", "failure").member("message", message);
      json.member("clause", std::string_view(row.clause.name));
      append_probe(json, row.probe, row.function);
    });
  }
  void lost(std::span<const Loss> losses) override {
    if (losses.empty()) return;
    write([&](JsonWriter &json) {
      json.member("type", "lost");
      append_losses(json, losses, parts_.plan);
    });
  }

  void interrupted() override {
    write([](JsonWriter &json) { json.member("type", "interrupted"); });
  }
  void remaining(AggregationViews views) override {
    for (const AggregationView *view : views)
      write([&](JsonWriter &json) {
        json.member("type", "aggregation");
        append_aggregation(json, *view, aggregations_.sort, true);
      });
  }
  void ended(int status, std::span<const Loss> all_losses) override {
    write([&](JsonWriter &json) {
      json.member("type", "end").member("status", status);
      append_losses(json, all_losses, parts_.plan);
    });
    flush();
  }

  Result<Unit> redirect(const std::string &path) override { return parts_.output.redirect(path); }
  Result<Unit> truncate() override { return parts_.output.truncate(); }
  void flush() override { (void)parts_.output.flush(); }
  std::optional<Error> failure() const override { return parts_.output.error(); }
  uint64_t nr_lost_rows() const override { return parts_.output.lost_rows(); }

 private:
  struct Row {
    std::string text;
    JsonWriter json{text};
    Row() = default;
    Row(const Row &) = delete;
    Row &operator=(const Row &) = delete;
  };

  /// The two clocks at once: times of rows are of the one that never jumps.
  void begin_file() {
    generation_ = parts_.output.generation();
    write([this](JsonWriter &json) {
      json.member("type", "begin").member("version", kVersion);
      json.member("monotonic_ns", parts_.time().now_ns(CLOCK_MONOTONIC))
          .member("realtime_ns", parts_.time().now_ns(CLOCK_REALTIME));
      if (const std::string boot = parts_.boot.empty() ? boot_id() : parts_.boot; !boot.empty())
        json.member("boot", std::string_view(boot));
      const std::string program = parts_.program.empty() ? program_of(parts_.target_pid) : parts_.program;
      if (!program.empty()) json.member("program", std::string_view(program));
    });
  }

  void line(std::string_view object) {
    if (generation_ != parts_.output.generation()) begin_file();
    parts_.output.text().append(object).append(1, '\n');
    parts_.output.row_done();
  }
  template <typename Members>
  void write(Members &&members) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    members(json);
    json.end_object();
    line(text);
  }
  template <typename Members>
  void item(const ActionPlan &action, Members &&members) {
    JsonWriter &json = rows_.back().json;
    json.begin_object().member("action", dtrace::row(action.kind).name);
    members(json);
    json.end_object();
  }

  static bool shows_rates(const ActionPlan &printa) {
    return printa.format && std::ranges::any_of(printa.format->conversions, &FormatConversion::per_second);
  }

  static void append_probe(JsonWriter &json, const Probe &probe, std::string_view function) {
    json.key("probe").begin_object().member("id", probe.id.value);
    json.member("provider", std::string_view(probe.provider)).member("module", std::string_view(probe.module));
    json.member("function", function).member("name", std::string_view(probe.name)).end_object();
  }

  /// `exact`: what is there at the end can be merged with that of other runs.
  void append_aggregation(JsonWriter &json, const AggregationView &view, const SortOptions &order, bool exact) const {
    const AggregationPlan &plan = parts_.plan.aggregations[view.id];
    json.member("name", view.name).member("function", dtrace::row(plan.function).name);
    if (view.normal > 1) json.member("normal", static_cast<int64_t>(view.normal));
    if (exact) append_exact_shape(json, view, plan);
    json.key("entries").begin_array();
    for (const uint32_t index : sorted_entries(view, order)) {
      const AggregationEntry &entry = view.entries[index];
      json.begin_object().key("keys").begin_array();
      for (size_t i = 0; i < entry.keys.size(); ++i) values_.append(json, entry.keys[i], plan.keys[i].type);
      json.end_array();
      JsonValues::append_names(json, "key_names", entry.keys);
      values_.append_result(json, view.shape, entry.words, view.normal);
      if (exact) append_exact_entry(json, view, entry);
      if (!entry.per_cpu.empty()) {
        json.key("cpus").begin_array();
        for (const CpuWords &share : entry.per_cpu) {
          json.begin_object().member("cpu", share.cpu);
          values_.append_result(json, view.shape, share.words, view.normal);
          json.end_object();
        }
        json.end_array();
      }
      json.end_object();
    }
    json.end_array();
  }

  SinkParts parts_;
  JsonValues values_;
  SystemNames names_;
  FormatContext format_;
  AggregationPrintOptions aggregations_;
  bool stamps_ = false;
  uint64_t generation_ = 0;  // of the output, when its file began
  std::list<Row> rows_;      // open ones: one more is within a row that commits it
};

}  // namespace

std::unique_ptr<Sink> make_json_sink(const SinkParts &parts) { return std::make_unique<JsonSink>(parts); }

}  // namespace dtrace::runtime
