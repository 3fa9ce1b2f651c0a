// SPDX-License-Identifier: Apache-2.0
// What is written is read, in order of time.
#include <limits>

#include "test/unit/recording/kept.h"

using namespace dtrace;
using namespace dtrace::recording;

TEST_CASE("recording: a packed blob is the same in each recording") {
  const Blob blob{"btf", std::string("\x9f\xeb\0\x01", 4) + std::string(1 << 20, 'x')};
  const Result<PackedBlob> packed = PackedBlob::of(blob);
  REQUIRE(packed);
  for (int i = 0; i < 2; i++) {
    Written to;
    to.writer.define(Fact{"number", std::to_string(i)});
    to.writer.define(*packed);
    const auto reader = open_text(to.finished());
    REQUIRE(reader);
    CHECK(*(*reader)->fact("number") == std::to_string(i));
    REQUIRE((*reader)->blobs().size() == 1);
    CHECK((*reader)->blobs()[0].name == "btf");
    CHECK((*reader)->blobs()[0].bytes == blob.bytes);
    CHECK((*reader)->cut().empty());
  }
}

TEST_CASE("recording: definitions come back as they were") {
  Written to;
  Writer &writer = to.writer;
  writer.define(Fact{"kernel.release", "6.1.0"});
  writer.define(Fact{"state", "begun"});
  writer.define(Blob{"btf", std::string("\x9f\xeb\0\x01", 4) + std::string(1 << 20, 'x')});
  writer.define(Leaf{.id = 1, .identity = "(arg 0)", .label = "arg0", .type = "int64_t"});
  writer.define(Leaf{.id = 2, .identity = "(copyinstr (arg 1))", .label = "copyinstr(arg1)", .type = "string"});
  writer.define(LeafSet{.id = 1, .leaves = {2, 1}});
  writer.define(LeafSet{.id = 2, .leaves = {}});
  const Argument argument{.native = "struct file *",
                          .translated = "fileinfo_t *",
                          .undefined = "missing_t",
                          .missing = "it is optimised away",
                          .name = "file",
                          .source = 3,
                          .place = 200,
                          .space = 1};
  writer.define(Probe{.id = 70000,
                      .provider = "syscall",
                      .module = "vmlinux",
                      .function = "read",
                      .name = "entry",
                      .shown_function = "read64",
                      .arguments_error = "no prototype",
                      .arguments = {argument, Argument{}},
                      .leaves = 1});
  writer.define(Probe{.id = 2,
                      .provider = "dtrace",
                      .module = "",
                      .function = "",
                      .name = "BEGIN",
                      .shown_function = "",
                      .arguments_error = "",
                      .arguments = {},
                      .leaves = 0});
  writer.define(Name{.kind = Name::Kind::kUserFrames,
                     .flag = true,
                     .pid = -7,
                     .image = 3,
                     .address = std::numeric_limits<uint64_t>::max(),
                     .texts = {"main", "", "c", "1"}});
  writer.define(Name{});
  writer.lose(Loss{.cause = "buffer", .where = "CPU 3", .count = 12345678901});
  writer.define(Fact{"state", "ended"});

  const auto opened = open_text(to.finished());
  REQUIRE(opened);
  const Reader &reader = **opened;
  CHECK(reader.cut().empty());
  REQUIRE(reader.facts().size() == 3);
  CHECK(reader.facts()[0].name == "kernel.release");
  CHECK(*reader.fact("kernel.release") == "6.1.0");
  CHECK(*reader.fact("state") == "ended");
  CHECK(reader.fact("kernel") == nullptr);
  REQUIRE(reader.blobs().size() == 1);
  CHECK(reader.blobs()[0].name == "btf");
  CHECK(reader.blobs()[0].bytes == std::string("\x9f\xeb\0\x01", 4) + std::string(1 << 20, 'x'));
  REQUIRE(reader.leaves().size() == 2);
  CHECK(reader.leaves()[1].id == 2);
  CHECK(reader.leaves()[1].identity == "(copyinstr (arg 1))");
  CHECK(reader.leaves()[1].label == "copyinstr(arg1)");
  CHECK(reader.leaves()[1].type == "string");
  REQUIRE(reader.sets().size() == 2);
  CHECK(reader.sets()[0].leaves == std::vector<uint32_t>{2, 1});
  CHECK(reader.sets()[1].leaves.empty());
  REQUIRE(reader.probes().size() == 2);
  const Probe &probe = reader.probes()[0];
  CHECK(reader.probe(70000) == &probe);
  CHECK(reader.probe(2) == &reader.probes()[1]);
  CHECK(reader.probe(1) == nullptr);
  CHECK(probe.provider == "syscall");
  CHECK(probe.module == "vmlinux");
  CHECK(probe.function == "read");
  CHECK(probe.name == "entry");
  CHECK(probe.shown_function == "read64");
  CHECK(probe.arguments_error == "no prototype");
  CHECK(probe.leaves == 1);
  REQUIRE(probe.arguments.size() == 2);
  CHECK(probe.arguments[0].native == argument.native);
  CHECK(probe.arguments[0].translated == argument.translated);
  CHECK(probe.arguments[0].undefined == argument.undefined);
  CHECK(probe.arguments[0].missing == argument.missing);
  CHECK(probe.arguments[0].name == argument.name);
  CHECK(probe.arguments[0].source == 3);
  CHECK(probe.arguments[0].place == 200);
  CHECK(probe.arguments[0].space == 1);
  REQUIRE(reader.names().size() == 2);
  const Name &name = reader.names()[0];
  CHECK(name.kind == Name::Kind::kUserFrames);
  CHECK(name.flag);
  CHECK(name.pid == -7);
  CHECK(name.image == 3);
  CHECK(name.address == std::numeric_limits<uint64_t>::max());
  CHECK(name.texts == std::vector<std::string>{"main", "", "c", "1"});
  REQUIRE(reader.losses().size() == 1);
  CHECK(reader.losses()[0].cause == "buffer");
  CHECK(reader.losses()[0].where == "CPU 3");
  CHECK(reader.losses()[0].count == 12345678901);
  CHECK(reader.nr_rows() == 0);
  CHECK_FALSE(reader.first_ns());
  CHECK_FALSE(reader.last_ns());
}

TEST_CASE("recording: cells of every kind come back as they were") {
  Written to;
  define_leaves(to.writer, 3);
  define_probe(to.writer, 1, 3);
  define_probe(to.writer, 2, 0);
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  const std::string nuls("a\0\0b", 4);
  std::vector<KeptRow> rows;
  const auto row = [&](uint32_t probe, std::vector<KeptCell> cells) {
    rows.push_back({.probe = probe, .cpu = 1, .time_ns = 100 + rows.size(), .thread = kMax, .cells = std::move(cells)});
  };
  row(1, {number(0), number(kMax), number(static_cast<uint64_t>(-1) << 63)});
  row(1, {number(kMax), number(0), number(static_cast<uint64_t>(-5))});
  row(2, {});
  row(1, {text(""), null(), bytes(nuls)});
  row(1, {null(), text(nuls), bytes("")});
  row(1, {nothing(), fault(255, kMax), fault(0, 0)});
  row(1, {number(1), nothing(), text("a")});
  row(2, {});
  row(1, {text("a"), bytes("a"), text(std::string(100'000, 'y'))});
  for (const KeptRow &each : rows) add(to.writer, each);
  CHECK(to.writer.nr_rows() == rows.size());

  const auto opened = open_text(to.finished());
  REQUIRE(opened);
  const RowsRead read = read_rows(**opened);
  CHECK(read.error.empty());
  CHECK(read.rows == rows);
  CHECK((*opened)->nr_rows() == rows.size());
  CHECK((*opened)->first_ns() == 100u);
  CHECK((*opened)->last_ns() == 108u);
}

TEST_CASE("recording: rows of many blocks come back as they were") {
  Written to;
  define_leaves(to.writer, 2);
  define_probe(to.writer, 1, 2);
  define_probe(to.writer, 2, 1);
  std::vector<KeptRow> rows;
  for (uint64_t i = 0; i < 70'000; ++i) {
    KeptRow row{.probe = 1, .cpu = 0, .time_ns = 10 * i, .thread = i % 5 << 32 | i % 7, .cells = {}};
    if (i % 3 == 0) {
      row.probe = 2;
      row.cells = {number(0xffff'8880'0000'0000 + i)};
    } else {
      row.cells = {text("/proc/" + std::to_string(i % 1000)), number(i * i)};
    }
    rows.push_back(std::move(row));
    add(to.writer, rows.back());
  }
  const auto opened = open_text(to.finished());
  REQUIRE(opened);
  const RowsRead read = read_rows(**opened);
  CHECK(read.error.empty());
  REQUIRE(read.rows.size() == rows.size());
  CHECK(std::equal(read.rows.begin(), read.rows.end(), rows.begin()));
}
