// SPDX-License-Identifier: Apache-2.0
// Reading saved runs: what is damaged is an error with its line.
#include <catch2/catch.hpp>
#include <sstream>

#include "runtime/merge/comparable.h"
#include "runtime/merge/merged_runs.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

const std::string kBegin = R"({"type":"begin","version":1,"monotonic_ns":1,"realtime_ns":2})"
                           "\n";
const std::string kEnd = R"({"type":"end","status":0,"losses":[]})"
                         "\n";

std::string count_line(const std::string &keys, const std::string &words) {
  return R"({"type":"aggregation","name":"a","function":"count","id":0,"types":["i4"],"entries":[{"keys":)" + keys +
         R"(,"value":1,"words":)" + words + "}]}\n";
}

/// "" or the error.
std::string read(const std::string &text, MergedRuns *merged = nullptr) {
  std::istringstream in(text);
  MergedRuns own;
  MergedRuns &into = merged == nullptr ? own : *merged;
  const Result<ForeignLines> done = read_saved_runs(in, [&](SavedRun run) { return into.add(std::move(run)); });
  return done ? "" : done.error().text();
}

}  // namespace

TEST_CASE("runs merge by key", "[merge]") {
  MergedRuns merged;
  CHECK(read(kBegin + count_line("[-1]", "[3]") + kEnd, &merged) == "");
  CHECK(read(kBegin + count_line("[-1]", "[4]") + kEnd + kBegin + count_line("[2]", "[18446744073709551615]") + kEnd,
             &merged) == "");
  const auto views = merged.views();
  REQUIRE(views.size() == 1);
  REQUIRE(views[0]->entries.size() == 2);
  CHECK(views[0]->entries[0].words[0] == 7);
  CHECK(views[0]->entries[1].words[0] == UINT64_MAX);
  CHECK(std::get<Integer>(views[0]->entries[0].keys[0]).as_signed() == -1);
}

TEST_CASE("what is damaged is said with its line", "[merge]") {
  CHECK(read("") == "there is no run in it" + std::string());
  CHECK(read("x") == "line 1: not the output of dtrace -x format=json");
  CHECK(read(kEnd) == "line 1: no run has begun");
  CHECK(read(kBegin).find("no end") != std::string::npos);
  CHECK(read(kBegin + "{\"type\":\"row\"\n") == "line 2: not a line of JSON output");
  CHECK(read(kBegin + kBegin).find("line 2: a run begins within a run") == 0);
  CHECK(read(R"({"type":"begin","version":2})") == "line 1: another version of the format");
  CHECK(read(kBegin + count_line("[]", "[1]")) == "line 2: @a: an entry without its keys");
  CHECK(read(kBegin + count_line("[\"x\"]", "[1]")) == "line 2: @a: bad key 1");
  CHECK(read(kBegin + count_line("[1.5]", "[1]")) == "line 2: @a: bad key 1");
  CHECK(read(kBegin + count_line("[1]", "[]")) == "line 2: @a: bad words of an entry");
  CHECK(read(kBegin + count_line("[1]", "[-1]")) == "line 2: @a: bad words of an entry");
  CHECK(read(kBegin + R"({"type":"aggregation","name":"a","function":"count","entries":[]})").find("no exact values") !=
        std::string::npos);
  CHECK(
      read(
          kBegin +
          R"({"type":"aggregation","name":"a","function":"lquantize","id":0,"types":[],"parameters":[0,10,0],"entries":[]})") ==
      "line 2: @a: bad parameters");
}

TEST_CASE("lines that another program has written anew are dtrace's", "[merge]") {
  CHECK(read("{ \"version\": 1, \"type\": \"begin\", \"monotonic_ns\": 1, \"realtime_ns\": 2 }\n{\"status\": 0, "
             "\"losses\": [], "
             "\"type\": \"end\"}\n")
            .empty());
}

TEST_CASE("lines of the traced program are counted and left out", "[merge]") {
  const auto foreign = [](const std::string &text, MergedRuns &merged) {
    std::istringstream in(text);
    const Result<ForeignLines> read = read_saved_runs(in, [&](SavedRun run) { return merged.add(std::move(run)); });
    REQUIRE(read);
    return std::pair(read->count, read->first);
  };
  MergedRuns none, some;
  CHECK(foreign(kBegin + count_line("[1]", "[3]") + kEnd, none) == std::pair<size_t, size_t>(0, 0));
  // The last has no newline, so that ours is behind it.
  CHECK(foreign(kBegin + "hello\n{\n\n{\"a\":{\"type\":\"x\"}}\nbye" + count_line("[1]", "[3]") + kEnd, some) ==
        std::pair<size_t, size_t>(5, 2));
  REQUIRE(some.views().size() == 1);
  CHECK(some.views()[0]->entries[0].words[0] == 3);
}

TEST_CASE("modules of two builds, and of two processes, have one name", "[merge]") {
  const auto run = [](const char *program, const char *pid, const char *function) {
    const std::string begin = std::string(R"({"type":"begin","version":1,"program":")") + program + "\"}\n";
    const auto frame = [](const std::string &symbol) { return R"({"address":"0x1000","symbol":")" + symbol + "\"}"; };
    const std::string stack =
        R"({"type":"aggregation","name":"a","function":"count","id":0,"types":["stack"],"entries":[{"keys":[[)" +
        frame(std::string("perf-") + pid + ".map`f+0x1") + "," + frame("libc.so.6`read+0x2") + "," +
        frame(std::string(program) + "`" + function) +
        R"(]],"exact":[{"pid":7,"end":0}],"value":1,"words":[1]}]})"
        "\n";
    std::istringstream in(begin + stack + kEnd);
    std::vector<SavedRun> runs;
    REQUIRE(read_saved_runs(in, [&](SavedRun read) {
      runs.push_back(std::move(read));
      return ok();
    }));
    return runs;
  };
  const auto frames = [](const std::vector<SavedRun> &runs) {
    std::string text;
    for (const SavedFrame &frame : std::get<SavedStack>(runs[0].aggregations.at("a").entries[0].keys[0]).frames)
      text += frame.functions[0].symbol + " ";
    return text;
  };
  std::vector<SavedRun> before = run("before", "12", "main+0x10"), after = run("after", "7", "main+0x20");
  CHECK_FALSE(share_stacks(before, after));
  make_comparable(before, after);
  CHECK(frames(before) == "perf.map`f+0x1 libc.so.6`read+0x2 a.out`main+0x10 ");
  CHECK(frames(after) == "perf.map`f+0x1 libc.so.6`read+0x2 a.out`main+0x20 ");
  CHECK(share_stacks(before, after));
  before = run("app", "1", "main"), after = run("app", "2", "other");
  make_comparable(before, after);
  CHECK(frames(after) == "perf.map`f+0x1 libc.so.6`read+0x2 app`other ");
  CHECK_FALSE(share_stacks(before, after));
}

TEST_CASE("what differs is not merged", "[merge]") {
  const std::string sum = R"({"type":"aggregation","name":"a","function":"sum","id":0,"types":["i4"],"entries":[]})"
                          "\n";
  const std::string text =
      R"({"type":"aggregation","name":"a","function":"count","id":0,"types":["text"],"entries":[]})"
      "\n";
  CHECK(read(kBegin + count_line("[1]", "[1]") + kEnd + kBegin + sum + kEnd).find("@a: another function") !=
        std::string::npos);
  CHECK(read(kBegin + count_line("[1]", "[1]") + kEnd + kBegin + text + kEnd).find("@a: keys of other types") !=
        std::string::npos);
}

TEST_CASE("stacks of files merge by their texts, also across machines", "[merge]") {
  const auto run = [](const std::string &boot, const std::string &address, const std::string &pid) {
    return R"({"type":"begin","version":1,"monotonic_ns":1,"realtime_ns":2,"boot":")" + boot + "\"}\n" +
           R"({"type":"aggregation","name":"a","function":"count","id":0,"types":["stack"],"entries":[{"keys":[[)" +
           R"({"address":")" + address + R"(","symbol":"prog`work+0x12"},{"address":"0x99","symbol":"prog`main"}]],)" +
           R"("exact":[{"pid":)" + pid + R"(,"end":0}],"value":1,"words":[1]}]})" + "\n" + kEnd;
  };
  MergedRuns merged;
  CHECK(read(run("one", "0x100001000", "2147483647") + run("two", "0x200001000", "2147483647"), &merged) == "");
  REQUIRE(merged.views().size() == 1);
  REQUIRE(merged.views()[0]->entries.size() == 1);
  CHECK(merged.views()[0]->entries[0].words[0] == 2);
  const auto &stack = std::get<UserStack>(merged.views()[0]->entries[0].keys[0]);
  REQUIRE(stack.frames.size() == 2);
  CHECK(merged.symbolizer().user_frames(stack.pid, stack.frames[0], false).front().symbol == "prog`work+0x12");
  // Those of a process stay apart.
  MergedRuns apart;
  CHECK(read(run("one", "0x1000", "7") + run("two", "0x1000", "7"), &apart) == "");
  CHECK(apart.views()[0]->entries.size() == 2);
}

TEST_CASE("functions of files merge by their texts, also across machines", "[merge]") {
  const auto run = [](const std::string &boot, const std::string &address, const std::string &text) {
    return R"({"type":"begin","version":1,"monotonic_ns":1,"realtime_ns":2,"boot":")" + boot + "\"}\n" +
           R"({"type":"aggregation","name":"a","function":"count","id":0,"types":["symbol"],"entries":[{"keys":[")" +
           text + R"("],"exact":[{"kind":4,"pid":2147483647,"address":")" + address +
           R"("}],"value":1,"words":[1]}]})" + "\n" + kEnd;
  };
  MergedRuns merged;
  CHECK(read(run("one", "0x100001000", "prog`work") + run("two", "0x200001000", "prog`work") +
                 run("one", "0x100001000", "prog`main"),
             &merged) == "");
  REQUIRE(merged.views()[0]->entries.size() == 2);
  CHECK(merged.views()[0]->entries[0].words[0] + merged.views()[0]->entries[1].words[0] == 3);
}
