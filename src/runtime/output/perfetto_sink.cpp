// SPDX-License-Identifier: Apache-2.0
// A trace for Perfetto: packets of perfetto.protos.Trace (github.com/google/perfetto). Rows are instants on the track
// of their thread, an entry and the return of the same function there are a slice, and aggregations are counters.
//
// What a reader would get wrong: readers sort packets by time. A slice is written when its end is known, because the
// beginning of one that never ends would be a slice to the end of the trace.
#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>
#include <protozero/pbf_builder.hpp>

#include "base/hexadecimal.h"
#include "base/read_file.h"
#include "base/utf8.h"
#include "runtime/output/reporting_sink.h"
#include "runtime/output/row_values.h"
#include "runtime/output/stack_samples.h"
#include "runtime/output/wall_time.h"

namespace dtrace::runtime {
namespace {

// Field numbers of the messages in protos/perfetto/trace.
enum class TraceField : protozero::pbf_tag_type { kPacket = 1 };
enum class PacketField : protozero::pbf_tag_type {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequence = 10,
  kTrackEvent = 11,
  kSequenceFlags = 13,
  kClock = 58,
  kTrack = 60,
};
enum class ClockSnapshotField : protozero::pbf_tag_type { kClock = 1, kPrimary = 2 };
enum class ClockField : protozero::pbf_tag_type { kId = 1, kTimestamp = 2 };
enum class TrackField : protozero::pbf_tag_type {
  kId = 1,
  kName = 2,
  kProcess = 3,
  kThread = 4,
  kParent = 5,
  kCounter = 8,
};
enum class ProcessField : protozero::pbf_tag_type { kPid = 1, kName = 6 };
enum class ThreadField : protozero::pbf_tag_type { kPid = 1, kTid = 2, kName = 5 };
enum class EventField : protozero::pbf_tag_type {
  kAnnotation = 4,
  kType = 9,
  kTrack = 11,
  kCategory = 22,
  kName = 23,
  kCounter = 30,
};
enum class AnnotationField : protozero::pbf_tag_type {
  kUnsigned = 3,
  kSigned = 4,
  kDouble = 5,
  kText = 6,
  kName = 10,
};

enum EventType : int32_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounterValue = 4 };
constexpr uint32_t kRealtime = 1, kMonotonic = 3, kBoottime = 6;  // builtin clocks
constexpr uint32_t kOnlySequence = 1;
constexpr uint32_t kStateCleared = 1;  // of the sequence, by its first packet
constexpr size_t kMaxOpenCalls = 1 << 20;

template <typename Field>
using MessageOf = protozero::pbf_builder<Field>;

enum class Step : uint8_t { kNone, kEntry, kReturn };

/// "entry" and "x-entry", as flowindent takes them; `rest` is what both have in common.
Step step_of_probe(std::string_view name, std::string_view &rest) {
  const auto is = [&](std::string_view word) {
    rest = name.substr(0, name.size() - std::min(word.size(), name.size()));
    return name.ends_with(word) && (rest.empty() || rest.ends_with('-'));
  };
  if (is("entry")) return Step::kEntry;
  if (is("return")) return Step::kReturn;
  return Step::kNone;
}

class PerfettoSink final : public ReportingSink {
 public:
  explicit PerfettoSink(const SinkParts &parts) : ReportingSink(parts), values_(parts) {
    packet({}, [this](MessageOf<PacketField> &packet) {
      packet.add_uint32(PacketField::kSequenceFlags, kStateCleared);
      MessageOf<ClockSnapshotField> snapshot(packet, PacketField::kClockSnapshot);
      constexpr std::pair<uint32_t, clockid_t> kClocks[] = {
          {kMonotonic, CLOCK_MONOTONIC}, {kBoottime, CLOCK_BOOTTIME}, {kRealtime, CLOCK_REALTIME}};
      for (const auto &[id, clock] : kClocks) {
        MessageOf<ClockField> reading(snapshot, ClockSnapshotField::kClock);
        reading.add_uint32(ClockField::kId, id);
        reading.add_uint64(ClockField::kTimestamp, parts_.time().now_ns(clock));
      }
      snapshot.add_enum(ClockSnapshotField::kPrimary, static_cast<int32_t>(kMonotonic));
    });
  }

  void refresh(const Options &options) override {
    ReportingSink::refresh(options);
    values_.refresh(options);
  }

  void begin_row(const RowEvent &, const RowEvent *) override { rows_.emplace_back(); }

  void trace(const ActionPlan &action, const ValuePlan &plan, const Value &value) override {
    annotate(value_name(action, static_cast<size_t>(&plan - action.values.data())), value, plan.type);
  }
  void object(const ActionPlan &action, const ObjectEvent &object) override {
    annotate_text(value_name(action, 0), values_.text(object));
  }
  void memory(const ActionPlan &action, std::string_view bytes) override {
    annotate_text(value_name(action, 0),
                  hexadecimal_text({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}));
  }
  void formatted(const ActionPlan &action, std::span<const Value> values) override {
    const std::vector<PrintfArgument> arguments = printf_arguments(*action.format, values);
    if (arguments.empty()) annotate_text("printf", values_.formatted(action, values));
    for (size_t i = 0; i < arguments.size(); ++i)
      annotate(value_name(action, i), arguments[i].value, printf_type(action, arguments[i]));
  }
  void aggregations(const ActionPlan &, AggregationViews views) override { show(views); }
  void did(const ActionPlan &, std::string_view, std::optional<int64_t>) override {}

  void end_row(const RowEvent &row) override {
    const Row ended = std::move(rows_.back());
    rows_.pop_back();
    const uint64_t time_ns = row.time_ns.value_or(parts_.time().now_ns(CLOCK_MONOTONIC));
    if (ended.annotations.empty() && !row.clause.makes_row) return;  // it shows nothing of its own
    place(row, {title(row), utf8_text(row.probe.provider), time_ns, track_of(row), ended.annotations});
  }

  void interrupted() override {}
  void remaining(AggregationViews views) override { show(views); }
  void ended(int, std::span<const Loss>) override {
    for (auto &[track, calls] : calls_)
      for (const Call &call : calls) event(call.event, kInstant);
    calls_.clear();
    flush();
    for (const auto &[what, count] : left_out_)
      parts_.report(fmt::format("format perfetto: left out: {} of {} value{}", what, count, count == 1 ? "" : "s"));
  }

  Result<Unit> redirect(const std::string &) override {
    return Error("format perfetto is one file, and cannot be sent elsewhere");
  }
  Result<Unit> truncate() override { return Error("format perfetto is one file: parts of it are not truncated"); }
  void flush() override { (void)parts_.output.flush(); }

 private:
  struct Row {
    std::string annotations;  // fields of a TrackEvent
  };
  struct Event {
    std::string name, category;
    uint64_t time_ns = 0, track = 0;
    std::string annotations;
  };
  struct Call {
    std::string function;  // of which a return ends it
    Event event;
  };

  // ---------------------------------------------------------------- packets

  template <typename Fill>
  void packet(std::optional<uint64_t> time_ns, Fill &&fill) {
    {
      MessageOf<TraceField> trace(parts_.output.text());
      MessageOf<PacketField> packet(trace, TraceField::kPacket);
      if (time_ns) {
        packet.add_uint64(PacketField::kTimestamp, *time_ns);
        packet.add_uint32(PacketField::kClock, kMonotonic);
      }
      packet.add_uint32(PacketField::kSequence, kOnlySequence);
      fill(packet);
    }
    parts_.output.row_done();
  }

  void event(const Event &event, EventType type) {
    std::string bytes;
    {
      MessageOf<EventField> message(bytes);
      message.add_enum(EventField::kType, type);
      message.add_uint64(EventField::kTrack, event.track);
      if (type != kSliceEnd) {
        message.add_string(EventField::kCategory, event.category);
        message.add_string(EventField::kName, event.name);
      }
    }
    bytes += event.annotations;
    packet(event.time_ns, [&](MessageOf<PacketField> &packet) { packet.add_message(PacketField::kTrackEvent, bytes); });
  }

  // ---------------------------------------------------------------- values

  template <typename Fill>
  void annotation(const std::string &name, Fill &&fill) {
    MessageOf<EventField> event(rows_.back().annotations);
    MessageOf<AnnotationField> annotation(event, EventField::kAnnotation);
    annotation.add_string(AnnotationField::kName, name);
    fill(annotation);
  }
  void annotate_text(const std::string &name, const std::string &text) {
    annotation(name, [&](auto &annotation) { annotation.add_string(AnnotationField::kText, text); });
  }
  void annotate(const std::string &name, const Value &value, TypeId type) {
    if (const auto *number = std::get_if<Integer>(&value)) {
      annotation(name, [&](auto &annotation) {
        if (number->is_signed)
          annotation.add_int64(AnnotationField::kSigned, number->as_signed());
        else
          annotation.add_uint64(AnnotationField::kUnsigned, number->as_unsigned());
      });
    } else if (const auto *floating = std::get_if<Floating>(&value)) {
      annotation(name, [&](auto &annotation) {
        annotation.add_double(AnnotationField::kDouble, static_cast<double>(floating->value));
      });
    } else {
      annotate_text(name, values_.text(value, type));
    }
  }

  // ---------------------------------------------------------------- tracks

  static std::string name_of_task(const std::string &folder) {
    const Result<std::string> name = read_file("/proc/" + folder + "/comm");
    return name ? utf8_text(std::string_view(*name).substr(0, name->find('\n'))) : std::string();
  }

  template <typename Fill>
  uint64_t new_track(Fill &&fill) {
    const uint64_t id = ++nr_tracks_;
    packet({}, [&](MessageOf<PacketField> &packet) {
      MessageOf<TrackField> track(packet, PacketField::kTrack);
      track.add_uint64(TrackField::kId, id);
      fill(track);
    });
    return id;
  }

  uint64_t process_track(int32_t pid) {
    const auto known = processes_.find(pid);
    if (known != processes_.end()) return known->second;
    const std::string name = name_of_task(std::to_string(pid));
    const uint64_t id = new_track([&](MessageOf<TrackField> &track) {
      MessageOf<ProcessField> process(track, TrackField::kProcess);
      process.add_int32(ProcessField::kPid, pid);
      if (!name.empty()) process.add_string(ProcessField::kName, name);
    });
    processes_.emplace(pid, id);
    return id;
  }

  /// The track of the row's thread. All idle threads have the id 0; each CPU's has its own track.
  uint64_t track_of(const RowEvent &row) {
    const uint64_t thread = row.thread.value_or(0);
    const uint64_t key = thread != 0 ? thread : row.cpu;
    const auto known = threads_.find({thread != 0, key});
    if (known != threads_.end()) return known->second;
    uint64_t id = 0;
    if (thread == 0) {
      const std::string name = fmt::format("CPU {}, idle", row.cpu);
      id = new_track([&](MessageOf<TrackField> &track) { track.add_string(TrackField::kName, name); });
    } else {
      const auto pid = static_cast<int32_t>(thread >> 32), tid = static_cast<int32_t>(thread);
      const uint64_t parent = process_track(pid);
      const std::string name = name_of_task(fmt::format("{}/task/{}", pid, tid));
      id = new_track([&](MessageOf<TrackField> &track) {
        track.add_uint64(TrackField::kParent, parent);
        MessageOf<ThreadField> about(track, TrackField::kThread);
        about.add_int32(ThreadField::kPid, pid);
        about.add_int32(ThreadField::kTid, tid);
        if (!name.empty()) about.add_string(ThreadField::kName, name);
      });
    }
    threads_.emplace(std::pair(thread != 0, key), id);
    return id;
  }

  // ---------------------------------------------------------------- rows

  static std::string title(const RowEvent &row) {
    std::string_view rest;
    if (row.function.empty()) return utf8_text(row.probe.name);
    if (step_of_probe(row.probe.name, rest) != Step::kNone && rest.empty()) return utf8_text(row.function);
    return utf8_text(fmt::format("{}:{}", row.function, row.probe.name));
  }

  void place(const RowEvent &row, Event event) {
    std::string_view rest;
    const Step step = step_of_probe(row.probe.name, rest);
    if (step == Step::kNone) return this->event(event, kInstant);
    std::string function = fmt::format("{}:{}:{}:{}", row.probe.provider, row.probe.module, row.function, rest);
    std::vector<Call> &calls = calls_[event.track];
    if (step == Step::kEntry) {
      // Another clause of the same firing.
      if (!calls.empty() && calls.back().function == function && calls.back().event.time_ns == event.time_ns) {
        calls.back().event.annotations += event.annotations;
        return;
      }
      if (++nr_open_calls_ > kMaxOpenCalls) drop_open_calls();
      calls_[event.track].push_back({std::move(function), std::move(event)});
      return;
    }
    size_t found = calls.size();
    while (found > 0 && calls[found - 1].function != function) --found;
    if (found == 0) return this->event(event, kInstant);
    // What was called from there and has not returned was left in another way.
    for (; calls.size() > found; calls.pop_back(), --nr_open_calls_) this->event(calls.back().event, kInstant);
    this->event(calls.back().event, kSliceBegin);
    this->event(event, kSliceEnd);
    calls.pop_back();
    --nr_open_calls_;
  }

  void drop_open_calls() {
    for (auto &[track, calls] : calls_)
      for (const Call &call : calls) event(call.event, kInstant);
    calls_.clear();
    nr_open_calls_ = 1;
  }

  // ---------------------------------------------------------------- counters

  /// The values are those of now: the row that asked for them was before.
  void show(AggregationViews views) {
    const uint64_t now = parts_.time().now_ns(CLOCK_MONOTONIC);
    for (const AggregationView *view : views) show(*view, now);
  }

  void show(const AggregationView &view, uint64_t now) {
    const std::string name = fmt::format("@{}", view.name == "_" ? "" : view.name);
    const AggregationPlan &plan = parts_.plan.aggregations[view.id];
    const auto leave_out = [&](std::string_view why) { ++left_out_[fmt::format("{} ({})", name, why)]; };
    for (const AggregationEntry &entry : view.entries) {
      if (view.shape.is_histogram()) {
        leave_out("a histogram cannot be a counter");
        continue;
      }
      if (std::ranges::any_of(entry.keys, is_stack)) {
        leave_out("a stack cannot be the name of a counter");
        continue;
      }
      const ScalarResult result = scalar_result(view.shape, entry.words, view.normal);
      if (!result.is_signed && result.value < 0) {
        leave_out("beyond 63 bits");
        continue;
      }
      std::string keys;
      for (size_t i = 0; i < entry.keys.size(); ++i)
        keys += (i == 0 ? "" : ", ") + values_.text(entry.keys[i], i < plan.keys.size() ? plan.keys[i].type : TypeId{});
      counter(keys.empty() ? name : fmt::format("{}[{}]", name, keys), result.value, now);
    }
  }

  void counter(const std::string &name, int64_t value, uint64_t time_ns) {
    auto known = counters_.find(name);
    if (known == counters_.end()) {
      const uint64_t id = new_track([&](MessageOf<TrackField> &track) {
        track.add_string(TrackField::kName, name);
        track.add_message(TrackField::kCounter, std::string());
      });
      known = counters_.emplace(name, id).first;
    }
    packet(time_ns, [&](MessageOf<PacketField> &packet) {
      MessageOf<EventField> event(packet, PacketField::kTrackEvent);
      event.add_enum(EventField::kType, kCounterValue);
      event.add_uint64(EventField::kTrack, known->second);
      event.add_int64(EventField::kCounter, value);
    });
  }

  RowValues values_;
  std::list<Row> rows_;  // open ones: one more is within a row that commits it
  uint64_t nr_tracks_ = 0;
  std::map<int32_t, uint64_t> processes_;
  std::map<std::pair<bool, uint64_t>, uint64_t> threads_;
  std::map<std::string, uint64_t> counters_;
  std::map<uint64_t, std::vector<Call>> calls_;  // by track, the innermost last
  size_t nr_open_calls_ = 0;
  std::map<std::string, uint64_t> left_out_;
};

}  // namespace

std::unique_ptr<Sink> make_perfetto_sink(const SinkParts &parts) { return std::make_unique<PerfettoSink>(parts); }

}  // namespace dtrace::runtime
