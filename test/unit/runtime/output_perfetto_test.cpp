// SPDX-License-Identifier: Apache-2.0
// Format perfetto, over recorded items, read by field numbers.
#include <catch2/catch.hpp>
#include <protozero/pbf_reader.hpp>

#include "output_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

/// Events as "time type track name annotation=value ...", without what describes tracks.
std::vector<std::string> events(const std::string &trace) {
  std::vector<std::string> events;
  protozero::pbf_reader packets(trace);
  while (packets.next(1)) {
    protozero::pbf_reader packet = packets.get_message();
    uint64_t time = 0;
    std::string text;
    while (packet.next()) {
      if (packet.tag() == 8) {
        time = packet.get_uint64();
      } else if (packet.tag() == 11) {
        protozero::pbf_reader event = packet.get_message();
        while (event.next()) {
          if (event.tag() == 9) {
            constexpr std::string_view kTypes[] = {"", "begin", "end", "instant", "counter"};
            text += kTypes[event.get_enum()];
          } else if (event.tag() == 11) {
            text += fmt::format(" #{}", event.get_uint64());
          } else if (event.tag() == 23) {
            text += " " + event.get_string();
          } else if (event.tag() == 30) {
            text += fmt::format(" {}", event.get_int64());
          } else if (event.tag() == 4) {
            std::string name, value;
            protozero::pbf_reader annotation = event.get_message();
            while (annotation.next()) {
              if (annotation.tag() == 10)
                name = annotation.get_string();
              else if (annotation.tag() == 3)
                value = fmt::format("{}u", annotation.get_uint64());
              else if (annotation.tag() == 4)
                value = fmt::format("{}", annotation.get_int64());
              else if (annotation.tag() == 6)
                value = annotation.get_string();
              else
                annotation.skip();
            }
            text += fmt::format(" {}={}", name, value);
          } else {
            event.skip();
          }
        }
      } else {
        packet.skip();
      }
    }
    if (!text.empty()) events.push_back(fmt::format("{} {}", time, text));
  }
  return events;
}

/// A row of clause 0 on a thread that no process has.
void call(ShownRun &run, std::string name, std::string function, uint64_t time, int64_t value, uint32_t thread = 7) {
  const Probe probe{ProbeId{7}, "fbt", "vmlinux", std::move(function), std::move(name)};
  const RowEvent event{run.plan.clauses[0], probe, probe.function, 1, time, {}, uint64_t{2'000'000'000} << 32 | thread};
  run.sink().begin_row(event, nullptr);
  run.sink().trace(run.plan.clauses[0].actions[0], run.plan.clauses[0].actions[0].values[0], i64(value));
  run.sink().end_row(event);
}

ShownRun &with_value(ShownRun &run) {
  run.action(0, Builtin::k_trace, {"arg0"}, 1);
  return run;
}

}  // namespace

TEST_CASE("an entry and its return are a slice", "[perfetto]") {
  ShownRun made("perfetto");
  ShownRun &run = with_value(made);
  call(run, "entry", "outer", 10, 1);
  call(run, "entry", "inner", 20, 2);
  call(run, "entry", "other", 25, 9, 8);  // another thread
  call(run, "return", "inner", 30, 3);
  call(run, "return", "outer", 40, -4);
  CHECK(events(run.finish()) == std::vector<std::string>{"20 begin #2 inner arg0=2", "30 end #2 arg0=3",
                                                         "10 begin #2 outer arg0=1", "40 end #2 arg0=-4",
                                                         "25 instant #3 other arg0=9"});
}

TEST_CASE("calls that do not return, and returns of calls that were not seen, are instants", "[perfetto]") {
  ShownRun made("perfetto");
  ShownRun &run = with_value(made);
  call(run, "return", "early", 5, 0);
  call(run, "entry", "outer", 10, 1);
  call(run, "entry", "thrown", 20, 2);
  call(run, "return", "outer", 30, 3);
  call(run, "entry", "late", 40, 4);
  CHECK(events(run.finish()) == std::vector<std::string>{"5 instant #2 early arg0=0", "20 instant #2 thrown arg0=2",
                                                         "10 begin #2 outer arg0=1", "30 end #2 arg0=3",
                                                         "40 instant #2 late arg0=4"});
}

TEST_CASE("recursion nests, and clauses of one firing are one slice", "[perfetto]") {
  ShownRun made("perfetto");
  ShownRun &run = with_value(made);
  call(run, "entry", "f", 10, 1);
  call(run, "entry", "f", 10, 2);
  call(run, "entry", "f", 20, 3);
  call(run, "return", "f", 30, 4);
  call(run, "return", "f", 40, 5);
  CHECK(events(run.finish()) == std::vector<std::string>{"20 begin #2 f arg0=3", "30 end #2 arg0=4",
                                                         "10 begin #2 f arg0=1 arg0=2", "40 end #2 arg0=5"});
}

TEST_CASE("values have their types", "[perfetto]") {
  ShownRun run("perfetto");
  run.action(0, Builtin::k_trace, {"a"}, 1);
  run.action(0, Builtin::k_trace, {"b"}, 1);
  run.action(0, Builtin::k_ustack, {""}, 1);
  run.probe.name = "tick-1s";
  run.probe.function = "";
  run.row(0, {u64(~uint64_t{0}), text("x\xff"), user({0x410, 0x905})});
  CHECK(events(run.finish()) == std::vector<std::string>{"5 instant #1 tick-1s a=18446744073709551615u b=x\xef\xbf\xbd "
                                                         "ustack=libc.so.6`0x905;a.out`main"});
}

TEST_CASE("aggregations are counters", "[perfetto]") {
  ShownRun run("perfetto");
  const uint32_t sum = run.aggregation("s", Builtin::k_sum, {"execname", "pid"});
  const uint32_t quantize = run.aggregation("q", Builtin::k_quantize, {});
  const RowEvent row{run.plan.clauses[0], run.probe, run.probe.function, 1, 50, {}};
  run.sink().begin_row(row, nullptr);
  run.show(sum, {{{text("cat"), i32(3)}, {static_cast<uint64_t>(-8)}}}, false);
  run.show(quantize, {{{}, std::vector<uint64_t>(kQuantizeBuckets)}}, false);
  run.sink().end_row(row);
  const std::vector<std::string> shown = events(run.finish());
  REQUIRE(shown.size() == 1);
  CHECK(shown[0].ends_with(" counter #1 -8"));
  CHECK(run.reports ==
        std::vector<std::string>{"format perfetto: left out: @q (a histogram cannot be a counter) of 1 value"});
}
