// SPDX-License-Identifier: Apache-2.0
// Files that were cut, damaged, or written by a later version.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <protozero/pbf_builder.hpp>

#include "recording/fields.h"
#include "recording/varint.h"
#include "test/unit/recording/blocks.h"

using namespace dtrace;
using namespace dtrace::recording;

namespace {

std::string open_error(std::string file) {
  const auto opened = open_text(std::move(file));
  return opened ? "" : opened.error().text();
}

bool is_prefix(const std::vector<KeptRow> &rows, const std::vector<KeptRow> &of) {
  return rows.size() <= of.size() && std::equal(rows.begin(), rows.end(), of.begin());
}

/// Fields of a later version: a number, a text, eight bytes, four.
std::string unknown_fields() {
  std::string bytes;
  protozero::pbf_writer message(bytes);
  message.add_uint64(1000, UINT64_MAX);
  message.add_bytes(1001, "later");
  message.add_fixed64(1002, 1);
  message.add_fixed32(1003, 1);
  return bytes;
}

/// The fields of `definitions`, in a recording of one block.
std::string defining(const std::string &definitions) {
  return join({block_of(BlockKind::kDefinitions, definitions), block_of(BlockKind::kEnd, "")});
}

template <typename Field>
std::string message_of(DefinitionsField field, std::initializer_list<std::pair<Field, uint64_t>> numbers) {
  std::string inner, bytes;
  Builder<Field> message(inner);
  for (const auto &[number, value] : numbers) message.add_uint64(number, value);
  Builder<DefinitionsField>(bytes).add_message(field, inner);
  return bytes;
}

std::string set_of(uint32_t id, const std::vector<uint32_t> &leaves) {
  std::string inner, bytes;
  Builder<SetField> message(inner);
  message.add_uint32(SetField::kId, id);
  message.add_packed_uint32(SetField::kLeaves, leaves.begin(), leaves.end());
  Builder<DefinitionsField>(bytes).add_message(DefinitionsField::kSet, inner);
  return bytes;
}

std::string packed(std::initializer_list<uint64_t> numbers) {
  std::string bytes;
  for (const uint64_t number : numbers) append_varint(bytes, number);
  return bytes;
}

}  // namespace

TEST_CASE("recording: a file that was cut anywhere is read up to there") {
  std::vector<KeptRow> rows;
  const std::string whole = small_recording(&rows);
  const std::vector<Block> blocks = split(whole);
  for (size_t size = 0; size < whole.size(); ++size) {
    INFO(size << " of " << whole.size() << " bytes");
    const auto opened = open_text(whole.substr(0, size));
    if (size < kFileHeadBytes) {
      REQUIRE_FALSE(opened);
      CHECK(opened.error().text() == "no recording: the file is too short");
      continue;
    }
    REQUIRE(opened);
    size_t complete = 0, nr_rows = 0;
    while (complete + 1 < blocks.size() && blocks[complete + 1].offset <= size)
      nr_rows += blocks[complete++].head.nr_rows;
    if (blocks[complete].offset == size)
      CHECK((*opened)->cut() == "the recording ends at offset " + std::to_string(size) + ", without its end");
    else
      CHECK((*opened)->cut() == "the recording ends at offset " + std::to_string(size) +
                                    ", within the block at offset " + std::to_string(blocks[complete].offset));
    const RowsRead read = read_rows(**opened);
    CHECK(read.error.empty());
    CHECK(read.rows.size() == nr_rows);
    CHECK((*opened)->nr_rows() == nr_rows);
    for (const KeptRow &row : read.rows) CHECK(std::ranges::count(rows, row) == 1);
  }
  const auto opened = open_text(whole);
  REQUIRE(opened);
  CHECK((*opened)->cut().empty());
  CHECK(read_rows(**opened).rows == rows);
}

TEST_CASE("recording: zeros where the end was to be are a cut") {
  const std::string whole = small_recording();
  const uint64_t end = split(whole).back().offset;
  const auto opened = open_text(whole.substr(0, end) + std::string(4096, '\0'));
  REQUIRE(opened);
  CHECK((*opened)->cut() == "from offset " + std::to_string(end) + " on the recording has zeros");
  CHECK(read_rows(**opened).rows.size() == 5);
}

TEST_CASE("recording: no changed bit remains unseen") {
  std::vector<KeptRow> rows;
  const std::string whole = small_recording(&rows);
  for (size_t offset = 0; offset < whole.size(); ++offset)
    for (const unsigned bit : {0, 3, 7}) {
      INFO("bit " << bit << " of byte " << offset << " of " << whole.size());
      std::string changed = whole;
      changed[offset] = static_cast<char>(changed[offset] ^ (1 << bit));
      const auto opened = open_text(changed);
      if (!opened) continue;
      const RowsRead read = read_rows(**opened);
      CHECK_FALSE(read.error.empty());
      CHECK(is_prefix(read.rows, rows));
      const Result<std::optional<Row>> again = (*opened)->next();
      REQUIRE_FALSE(again);
      CHECK(again.error().text() == read.error);
    }
}

TEST_CASE("recording: damage to rows names the block, and rows before it are given") {
  std::vector<KeptRow> rows;
  std::string file = small_recording(&rows);
  std::vector<Block> blocks = split(file);
  std::erase_if(blocks, [](const Block &block) { return block.head.kind != static_cast<uint16_t>(BlockKind::kRows); });
  REQUIRE(blocks.size() == 3);
  file[blocks[2].offset + kBlockHeadBytes + 5] ^= 1;
  const auto opened = open_text(file);
  REQUIRE(opened);
  for (int i = 0; i < 2; ++i) {
    const RowsRead read = read_rows(**opened);
    CHECK(read.rows == std::vector<KeptRow>(rows.begin(), rows.end() - 1));
    CHECK(read.error ==
          "the block at offset " + std::to_string(blocks[2].offset) + " is damaged: its checksum is wrong");
    (*opened)->seek(0);
  }
}

TEST_CASE("recording: files that are none, and those of later versions") {
  CHECK(open_error("") == "no recording: the file is too short");
  CHECK(open_error(std::string(100, 'x')) == "no recording");
  std::string file = small_recording();
  file[8] = 2;
  CHECK(open_error(file) == "the recording has version 2 of its format; this dtrace reads versions up to 1");
  file[8] = 0;
  CHECK(open_error(file) == "the head of the recording is damaged");
}

TEST_CASE("recording: unknown kinds of blocks and unknown fields are skipped") {
  std::vector<KeptRow> rows;
  std::vector<Block> blocks = split(small_recording(&rows));
  std::vector<Block> later;
  for (Block &block : blocks) {
    later.push_back({.head = {.kind = 77, .cpu = 9, .nr_rows = 1, .first_ns = 5}, .payload = "of a later version"});
    block.payload = unknown_fields() + block.payload + unknown_fields();
    if (block.head.kind == static_cast<uint16_t>(BlockKind::kDefinitions))
      Builder<DefinitionsField>(block.payload).add_message(DefinitionsField::kFact, unknown_fields());
    if (block.head.kind == static_cast<uint16_t>(BlockKind::kEnd)) block.payload = unknown_fields();
    later.push_back(block);
  }
  const auto opened = open_text(join(later));
  REQUIRE(opened);
  CHECK((*opened)->cut().empty());
  CHECK(*(*opened)->fact("kernel") == "6.1");
  CHECK((*opened)->nr_rows() == 5);
  const RowsRead read = read_rows(**opened);
  CHECK(read.error.empty());
  CHECK(read.rows == rows);
}

TEST_CASE("recording: definitions that are missing, or there twice") {
  const std::string leaf = message_of<LeafField>(DefinitionsField::kLeaf, {{LeafField::kId, 1}});
  const auto probe = [](uint64_t id, uint64_t set) {
    return message_of<ProbeField>(DefinitionsField::kProbe, {{ProbeField::kId, id}, {ProbeField::kSet, set}});
  };
  const std::string at = "the block at offset 20 is damaged: ";
  CHECK(open_error(defining(leaf + set_of(1, {1, 1}) + probe(9, 1) + probe(3, 0))) == "");
  CHECK(open_error(defining(leaf + leaf)) == at + "the ID of a leaf is not the next one");
  CHECK(open_error(defining(set_of(2, {}))) == at + "the ID of a set of leaves is not the next one");
  CHECK(open_error(defining(set_of(1, {1}) + leaf)) == at + "a set names a leaf that is not defined");
  CHECK(open_error(defining(leaf + set_of(1, {0}))) == at + "a set names a leaf that is not defined");
  CHECK(open_error(defining(probe(1, 1))) == at + "a probe names a set of leaves that is not defined");
  CHECK(open_error(defining(probe(0, 0))) == at + "a probe has no ID");
  CHECK(open_error(defining(probe(5, 0) + probe(5, 0))) == at + "a probe is defined twice");
  CHECK(open_error(defining(leaf + set_of(1, std::vector<uint32_t>(kMaxCells, 1)))) == "");
  CHECK(open_error(defining(leaf + set_of(1, std::vector<uint32_t>(kMaxCells + 1, 1)))) ==
        at + "a set has too many leaves");
}

TEST_CASE("recording: sizes and counts that cannot be are refused") {
  const auto change = [](auto changed) {
    std::vector<Block> blocks = split(small_recording());
    for (Block &block : blocks)
      if (block.head.kind == static_cast<uint16_t>(BlockKind::kRows)) {
        changed(block.head);
        break;
      }
    const auto opened = open_text(join(blocks));
    return opened ? read_rows(**opened).error : opened.error().text();
  };
  CHECK(change([](BlockHead &) {}).empty());
  CHECK(change([](BlockHead &head) { head.nr_rows = 0; }).ends_with("its number of rows is wrong"));
  CHECK(change([](BlockHead &head) { head.nr_rows = 100; }).ends_with("its number of rows is wrong"));
  CHECK(change([](BlockHead &head) { head.first_ns = head.last_ns + 1; }).ends_with("its times are wrong"));
  CHECK(change([](BlockHead &head) { head.first_ns += 1; }).find("offset") != std::string::npos);
  CHECK(change([](BlockHead &head) { head.nr_rows += 1; }).find("counts 5 rows") != std::string::npos);
  CHECK(change([](BlockHead &head) {
          head.coding = 2;
        }).ends_with("it is coded in a way that this version does not know"));

  // A head that states more than there is, or than a reader takes.
  BlockHead head{.kind = 3, .nr_rows = 1, .packed_bytes = UINT32_MAX, .raw_bytes = UINT32_MAX};
  const FileHead file = file_head();
  const auto with_head = [&] {
    const BlockHeadBytes bytes = to_bytes(head);
    return std::string(file.data(), file.size()) + std::string(bytes.data(), bytes.size());
  };
  CHECK(open_error(with_head()) == "the block at offset 20 is damaged: it is too large");
  head.packed_bytes = 1 << 20;
  CHECK(open_error(with_head()) == "the block at offset 20 is damaged: it is too large");
  head.raw_bytes = 1 << 20;
  CHECK(open_error(with_head()) == "");  // cut
  head.kind = 1;
  head.packed_bytes = 0;
  CHECK(open_error(with_head()) == "the block at offset 20 is damaged: its size is wrong");
  CHECK(open_error(small_recording() + "x").starts_with("bytes follow the end of the recording at offset "));
}

TEST_CASE("recording: a small file does not take much memory") {
  std::string facts;
  for (int i = 0; i < 2'000'000; ++i) facts += std::string("\x0a\0", 2);  // an empty fact
  CHECK(open_error(defining(facts)) ==
        "the block at offset 20 is damaged: the definitions take too much memory for a file of this size");

  // A text of 8 MB on each CPU, in a block that begins early.
  Written to;
  define_leaves(to.writer, 1);
  define_probe(to.writer, 1, 1);
  const std::string zeros(8'000'000, '\0');
  for (uint32_t cpu = 0; cpu < 20; ++cpu)
    for (const uint64_t time : {1, 2}) {
      const Cell cell{.kind = Cell::Kind::kText, .bytes = std::string_view(zeros).substr(time == 2 ? 0 : zeros.size())};
      to.writer.add({.probe = 1, .cpu = cpu, .time_ns = time, .cells = {&cell, 1}});
    }
  const auto opened = open_text(to.finished());
  REQUIRE(opened);
  uint64_t nr_rows = 0;
  Result<std::optional<Row>> row = (*opened)->next();
  for (; row && *row; row = (*opened)->next()) ++nr_rows;
  REQUIRE_FALSE(row);
  CHECK(nr_rows < 20);
  CHECK(row.error().text().ends_with("take too much memory for a file of this size"));
}

TEST_CASE("recording: columns that contradict themselves are damage") {
  using Field = RowsField;
  // Two rows of a probe with one leaf.
  struct Parts {
    std::string probes = packed({1}), threads = packed({7}), row_probes = packed({0, 0}), row_times = packed({0, 0}),
                row_threads = packed({0, 0}), kinds, plain = packed({5, 6}), texts, faults;
    uint64_t set = 1;
    int nr_columns = 1, nr_cells = 1;
  };
  const auto error_of = [](const Parts &parts) {
    std::string column, cells, rows;
    Builder<ColumnField> column_message(column);
    if (!parts.kinds.empty()) column_message.add_bytes(ColumnField::kKinds, parts.kinds);
    column_message.add_bytes(ColumnField::kPlain, parts.plain);
    column_message.add_bytes(ColumnField::kTexts, parts.texts);
    column_message.add_bytes(ColumnField::kFaults, parts.faults);
    Builder<CellsField> cells_message(cells);
    cells_message.add_uint64(CellsField::kSet, parts.set);
    for (int i = 0; i < parts.nr_columns; ++i) cells_message.add_message(CellsField::kColumn, column);
    Builder<Field> message(rows);
    message.add_bytes(Field::kProbe, parts.probes);
    message.add_bytes(Field::kThread, parts.threads);
    message.add_bytes(Field::kText, "text");
    message.add_bytes(Field::kRowProbes, parts.row_probes);
    message.add_bytes(Field::kRowTimes, parts.row_times);
    message.add_bytes(Field::kRowThreads, parts.row_threads);
    for (int i = 0; i < parts.nr_cells; ++i) message.add_message(Field::kCells, cells);
    Block block = block_of(BlockKind::kRows, rows);
    block.head.nr_rows = 2;
    block.head.first_ns = block.head.last_ns = 100;
    const std::string definitions =
        message_of<LeafField>(DefinitionsField::kLeaf, {{LeafField::kId, 1}}) + set_of(1, {1}) +
        message_of<ProbeField>(DefinitionsField::kProbe, {{ProbeField::kId, 1}, {ProbeField::kSet, 1}});
    const auto opened =
        open_text(join({block_of(BlockKind::kDefinitions, definitions), block, block_of(BlockKind::kEnd, "")}));
    REQUIRE(opened);
    std::string error = read_rows(**opened).error;
    const size_t colon = error.find(": ");
    return colon == std::string::npos ? error : error.substr(colon + 2);
  };
  const auto with = [&](auto change) {
    Parts parts;
    change(parts);
    return error_of(parts);
  };
  CHECK(with([](Parts &) {}).empty());
  CHECK(with([](Parts &parts) {
          parts.kinds = packed({2, 1, 5, 1}), parts.plain = "", parts.texts = packed({0}),
          parts.faults = packed({255, 9});
        }).empty());
  CHECK(with([](Parts &parts) { parts.probes = packed({2}); }) == "a row's probe is not defined");
  CHECK(with([](Parts &parts) { parts.probes = packed({1, 1, 1}); }) == "there are more probes than rows");
  CHECK(with([](Parts &parts) { parts.threads = packed({1, 1, 1}); }) == "there are more threads than rows");
  CHECK(with([](Parts &parts) { parts.threads = "\xff"; }) == "a number is not complete");
  CHECK(with([](Parts &parts) { parts.row_probes = packed({0, 1}); }) == "a row has no probe");
  CHECK(with([](Parts &parts) { parts.row_probes = packed({0}); }) == "a row has no probe");
  CHECK(with([](Parts &parts) { parts.row_threads = packed({0, 1}); }) == "a row has no thread");
  CHECK(with([](Parts &parts) { parts.row_times = packed({0}); }) == "a row has no time");
  CHECK(with([](Parts &parts) { parts.row_times = packed({0, 2}); }) ==
        "a row's time is not within those of its block");
  CHECK(with([](Parts &parts) { parts.row_times = packed({0, 0, 0}); }) == "it has more cells than its rows");
  CHECK(with([](Parts &parts) { parts.plain = packed({5}); }) == "a cell has no value");
  CHECK(with([](Parts &parts) { parts.plain = packed({5, 6, 7}); }) == "it has more cells than its rows");
  CHECK(with([](Parts &parts) { parts.kinds = packed({1, 1}); }) == "a cell has no value");
  CHECK(with([](Parts &parts) { parts.kinds = packed({6, 2}); }) == "a cell has no value");
  CHECK(with([](Parts &parts) { parts.kinds = packed({2, 2}), parts.texts = packed({0, 1}); }) ==
        "a cell has no value");
  CHECK(with([](Parts &parts) { parts.kinds = packed({5, 2}), parts.faults = packed({256, 0}); }) ==
        "a cell has no value");
  CHECK(with([](Parts &parts) { parts.set = 2; }) == "a row's set of leaves is not defined");
  CHECK(with([](Parts &parts) { parts.set = 0; }) == "a row's set of leaves is not defined");
  CHECK(with([](Parts &parts) { parts.nr_columns = 2; }) == "there are not as many columns as the set has leaves");
  CHECK(with([](Parts &parts) { parts.nr_cells = 0; }) == "the cells of a set are missing");
  CHECK(with([](Parts &parts) { parts.nr_cells = 2; }) == "the cells of a set stand there twice");
}

TEST_CASE("recording: a writer that failed writes nothing more and keeps the first error") {
  int calls = 0;
  Writer writer([&](std::string_view) -> Result<Unit> {
    if (++calls == 1) return ok();
    return Error("disk full " + std::to_string(calls));
  });
  define_probe(writer, 1, 0);
  CHECK_FALSE(writer.failure());
  writer.flush();
  REQUIRE(writer.failure());
  CHECK(writer.failure()->text() == "disk full 2");
  add(writer, {.probe = 1});
  writer.flush();
  const Result<Unit> finished = writer.finish();
  REQUIRE_FALSE(finished);
  CHECK(finished.error().text() == "disk full 2");
  CHECK(calls == 2);
  CHECK(writer.nr_bytes() == kFileHeadBytes);
}

TEST_CASE("recording: a writer refuses what no reader would take") {
  const auto failure = [](auto use) {
    Written to;
    define_leaves(to.writer, 1);
    define_probe(to.writer, 1, 1);
    use(to.writer);
    return to.writer.failure() ? to.writer.failure()->text() : "";
  };
  CHECK(failure([](Writer &) {}).empty());
  CHECK(failure([](Writer &writer) { add(writer, {.probe = 2}); }) ==
        "a row is not as its probe is defined in the recording");
  CHECK(failure([](Writer &writer) { add(writer, {.probe = 1}); }) ==
        "a row is not as its probe is defined in the recording");
  CHECK(failure([](Writer &writer) { add(writer, {.probe = 1, .cells = {text(std::string(9 << 20, 'x'))}}); }) ==
        "a row is too large for a recording");
  CHECK(failure([](Writer &writer) { writer.define(LeafSet{.id = 3, .leaves = {}}); }) ==
        "the ID of a set of expressions is not the next one");
  CHECK(failure([](Writer &writer) { writer.define(LeafSet{.id = 2, .leaves = std::vector<uint32_t>(4097, 1)}); }) ==
        "a probe has too many expressions for a recording");
  CHECK(failure([](Writer &writer) { writer.define(Fact{"long", std::string(17 << 20, 'x')}); }) ==
        "a definition is too large for a recording");
}

TEST_CASE("recording: only regular files are opened") {
  const std::string folder = std::filesystem::temp_directory_path() / ("recording" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string path = folder + "/r";
  std::ofstream(path) << small_recording();
  {
    auto bytes = open_file(path);
    REQUIRE(bytes);
    const auto opened = Reader::open(std::move(*bytes));
    REQUIRE(opened);
    CHECK(read_rows(**opened).rows.size() == 5);
  }
  const std::string fifo = folder + "/fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  for (const std::string &other : {fifo, folder}) {
    const auto bytes = open_file(other);
    REQUIRE_FALSE(bytes);
    CHECK(bytes.error().text() == other + ": not a regular file");
  }
  const auto missing = open_file(folder + "/none");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().errno_value() == ENOENT);
  std::filesystem::remove_all(folder);
}
