// SPDX-License-Identifier: Apache-2.0
// Format pprof, over recorded items: unpacked, and read by field numbers.
#include <zlib.h>

#include <catch2/catch.hpp>
#include <protozero/pbf_reader.hpp>

#include "output_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

std::string unpacked(const std::string &packed) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out(1 << 20, '\0');
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  CHECK(stream.avail_in == 0);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

/// A message's fields: numbers and bytes by field number, in order.
struct Message {
  std::map<uint32_t, std::vector<uint64_t>> numbers;
  std::map<uint32_t, std::vector<std::string>> bytes;
  explicit Message(const std::string &text) {
    protozero::pbf_reader reader(text);
    while (reader.next())
      if (reader.wire_type() == protozero::pbf_wire_type::length_delimited)
        bytes[reader.tag()].push_back(std::string(reader.get_view()));
      else
        numbers[reader.tag()].push_back(reader.get_uint64());
  }
  uint64_t number(uint32_t field) const { return numbers.contains(field) ? numbers.at(field).at(0) : 0; }
};

std::vector<int64_t> packed_numbers(const std::string &text) {
  std::vector<int64_t> numbers;
  const char *at = text.data();
  while (at != text.data() + text.size())
    numbers.push_back(static_cast<int64_t>(protozero::decode_varint(&at, text.data() + text.size())));
  return numbers;
}

struct Profile {
  Message top;
  explicit Profile(const std::string &packed) : top(unpacked(packed)) {}
  const std::string &string(uint64_t index) const { return top.bytes.at(6).at(index); }
  std::vector<std::string> sample_types() const {
    std::vector<std::string> types;
    for (const std::string &type : top.bytes.at(1)) types.push_back(string(Message(type).number(1)));
    return types;
  }
  std::vector<std::string> units() const {
    std::vector<std::string> units;
    for (const std::string &type : top.bytes.at(1)) units.push_back(string(Message(type).number(2)));
    return units;
  }
  size_t nr_samples() const { return top.bytes.contains(2) ? top.bytes.at(2).size() : 0; }
  std::vector<int64_t> values(size_t sample) const {
    return packed_numbers(Message(top.bytes.at(2).at(sample)).bytes.at(2).at(0));
  }
  /// "name=text" or "name#number".
  std::vector<std::string> labels(size_t sample) const {
    std::vector<std::string> labels;
    const Message message(top.bytes.at(2).at(sample));
    if (!message.bytes.contains(3)) return labels;
    for (const std::string &label : message.bytes.at(3)) {
      const Message part(label);
      const uint64_t text = part.number(2);
      labels.push_back(string(part.number(1)) +
                       (text != 0 ? "=" + string(text) : fmt::format("#{}", static_cast<int64_t>(part.number(3)))));
    }
    return labels;
  }
  /// "function+function file:line" of a sample's locations, innermost first.
  std::vector<std::string> stack(size_t sample) const {
    std::vector<std::string> stack;
    const Message message(top.bytes.at(2).at(sample));
    if (!message.bytes.contains(1)) return stack;
    for (const int64_t id : packed_numbers(message.bytes.at(1).at(0))) {
      const Message location(top.bytes.at(4).at(static_cast<size_t>(id - 1)));
      CHECK(location.number(1) == static_cast<uint64_t>(id));
      std::string text;
      for (const std::string &part : location.bytes.at(4)) {
        const Message line(part);
        for (const std::string &bytes : top.bytes.at(5)) {
          const Message function(bytes);
          if (function.number(1) != line.number(1)) continue;
          text += (text.empty() ? "" : "+") + string(function.number(2));
          if (function.number(4) != 0) text += fmt::format(" {}:{}", string(function.number(4)), line.number(2));
        }
      }
      stack.push_back(text);
    }
    return stack;
  }
};

}  // namespace

TEST_CASE("a count by text, numbers and stacks", "[pprof]") {
  ShownRun run("pprof");
  const uint32_t count = run.aggregation("_", Builtin::k_count, {"execname", "pid", "arg0", "stack()", "ustack()"});
  run.show(count, {{{text("cat"), i32(-3), u64(~uint64_t{0}), kernel({0x1010, 0x2010}), user({0x440, 0x905})}, {3}}},
           true);
  const Profile profile(run.finish());
  CHECK(profile.string(0).empty());
  CHECK(profile.sample_types() == std::vector<std::string>{"count"});
  REQUIRE(profile.nr_samples() == 1);
  CHECK(profile.values(0) == std::vector<int64_t>{3});
  CHECK(profile.labels(0) == std::vector<std::string>{"execname=cat", "pid#-3", "arg0=18446744073709551615"});
  CHECK(profile.stack(0) ==
        std::vector<std::string>{"function", "caller", "helper helper.h:3+main main.c:12", "0x905"});
  REQUIRE(profile.top.bytes.at(3).size() == 2);
  const Message program(profile.top.bytes.at(3).at(1)), module(profile.top.bytes.at(3).at(0));
  const bool in_order = profile.string(program.number(5)) == "/bin/a.out";
  const Message &of_program = in_order ? program : module, &of_module = in_order ? module : program;
  CHECK(profile.string(of_program.number(5)) == "/bin/a.out");
  CHECK(profile.string(of_program.number(6)) == "0123ab");
  CHECK(of_program.number(2) == 0x400);
  CHECK(of_program.number(3) == 0x500);
  CHECK(of_program.number(4) == 0x1000);
  CHECK(of_program.number(10) == 1);
  CHECK(profile.string(of_module.number(5)) == "[module]");
  CHECK(profile.string(of_module.number(6)) == "cafe");
}

TEST_CASE("sample types by aggregating function", "[pprof]") {
  ShownRun run("pprof");
  const uint32_t avg = run.aggregation("a", Builtin::k_avg, {"stack()"});
  const uint32_t sum = run.aggregation("_", Builtin::k_sum, {"stack()"});
  const uint32_t maximum = run.aggregation("m", Builtin::k_max, {"stack()"});
  run.show(avg, {{{kernel({0x1010})}, {2, 31}}}, true);
  run.show(sum, {{{kernel({0x1010})}, {static_cast<uint64_t>(-5)}}}, true);
  run.show(maximum, {{{kernel({0x1010})}, {9, 1}}}, true);
  const Profile profile(run.finish());
  CHECK(profile.sample_types() == std::vector<std::string>{"a.count", "a.sum", "sum", "m.max"});
  REQUIRE(profile.nr_samples() == 3);
  CHECK(profile.values(0) == std::vector<int64_t>{2, 31, 0, 0});
  CHECK(profile.values(1) == std::vector<int64_t>{0, 0, -5, 0});
  CHECK(profile.values(2) == std::vector<int64_t>{0, 0, 0, 9});
}

TEST_CASE("a bucket is a sample with its bounds", "[pprof]") {
  ShownRun run("pprof");
  const uint32_t quantize = run.aggregation("_", Builtin::k_quantize, {"stack()"});
  std::vector<uint64_t> buckets(kQuantizeBuckets);
  buckets[0] = 1;
  buckets[63] = 2;
  buckets[67] = 5;  // 8..15
  run.show(quantize, {{{kernel({0x1010})}, buckets}}, true);
  const Profile profile(run.finish());
  REQUIRE(profile.nr_samples() == 3);
  CHECK(profile.labels(1) == std::vector<std::string>{"bucket.least#0", "bucket.greatest#0"});
  CHECK(profile.labels(2) == std::vector<std::string>{"bucket.least#8", "bucket.greatest#15"});
  CHECK(profile.values(2) == std::vector<int64_t>{5});
}

TEST_CASE("rows say their probe; empty text is told from a number", "[pprof]") {
  ShownRun run("pprof");
  run.action(0, Builtin::k_stack, {""}, 1);
  const uint32_t count = run.aggregation("c", Builtin::k_count, {"execname", "stack()"});
  run.row(0, {kernel({0x1010})});
  run.row(0, {kernel({0x1010})});
  run.show(count, {{{text(""), kernel({0x1010})}, {1}}}, true);
  const Profile profile(run.finish());
  CHECK(profile.sample_types() == std::vector<std::string>{"rows", "c.count"});
  CHECK(profile.labels(0) == std::vector<std::string>{"probe=fbt:vmlinux:vfs_read:entry"});
  CHECK(profile.values(0) == std::vector<int64_t>{2, 0});
  CHECK(profile.labels(1) == std::vector<std::string>{"execname=\"\""});
}

TEST_CASE("what does not fit 63 bits is left out and reported", "[pprof]") {
  ShownRun run("pprof");
  const uint32_t count = run.aggregation("c", Builtin::k_count, {"stack()"});
  run.show(count, {{{kernel({0x1010})}, {uint64_t{1} << 63}}, {{kernel({0x2010})}, {(uint64_t{1} << 63) - 1}}}, true);
  const Profile profile(run.finish());
  REQUIRE(profile.nr_samples() == 1);
  CHECK(profile.values(0) == std::vector<int64_t>{std::numeric_limits<int64_t>::max()});
  CHECK(run.reports == std::vector<std::string>{
                           "format pprof: left out: 1 value of @c: beyond 63 bits, the most that a profile holds"});
}

TEST_CASE("a run without stacks is a profile without samples", "[pprof]") {
  ShownRun run("pprof");
  const Profile profile(run.finish());
  CHECK(profile.sample_types() == std::vector<std::string>{"count"});
  CHECK(profile.nr_samples() == 0);
}

TEST_CASE("sample types have the unit of what is aggregated", "[pprof]") {
  ShownRun run("pprof");
  const uint32_t waits = run.aggregation("w", Builtin::k_sum, {"stack()"});
  const uint32_t sizes = run.aggregation("s", Builtin::k_avg, {"stack()"});
  const uint32_t odd = run.aggregation("o", Builtin::k_max, {"stack()"});
  const uint32_t milliseconds = run.aggregation("m", Builtin::k_sum, {"stack()"});
  run.plan.aggregations[waits].quantity = {Quantity::Kind::kTime, 1};
  run.plan.aggregations[sizes].quantity = {Quantity::Kind::kBytes, 1};
  run.plan.aggregations[odd].quantity = {Quantity::Kind::kTime, 7};
  run.plan.aggregations[milliseconds].quantity = {Quantity::Kind::kTime, 1000};
  run.show(waits, {{{kernel({0x1010})}, {5}}}, true);
  run.show(sizes, {{{kernel({0x1010})}, {2, 8}}}, true);
  run.show(odd, {{{kernel({0x1010})}, {9, 1}}}, true);
  run.show(milliseconds, {{{kernel({0x1010})}, {9000}}}, true, 1000);
  const Profile profile(run.finish());
  CHECK(profile.sample_types() == std::vector<std::string>{"w.sum", "s.count", "s.sum", "o.max", "m.sum"});
  CHECK(profile.units() == std::vector<std::string>{"nanoseconds", "count", "bytes", "", "milliseconds"});
}
