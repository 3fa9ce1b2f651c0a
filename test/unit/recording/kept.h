// SPDX-License-Identifier: Apache-2.0
// Recordings in memory, and rows that keep what they borrow.
#pragma once

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recording/reader.h"
#include "recording/writer.h"

namespace dtrace::recording {

class TextBytes final : public Bytes {
 public:
  explicit TextBytes(std::string text) : text_(std::move(text)) {}
  uint64_t size() const override { return text_.size(); }
  Result<size_t> read(uint64_t offset, std::span<char> to) override {
    if (offset > text_.size()) return size_t{0};
    return text_.copy(to.data(), to.size(), offset);
  }

 private:
  std::string text_;
};

inline Result<std::unique_ptr<Reader>> open_text(std::string text) {
  return Reader::open(std::make_unique<TextBytes>(std::move(text)));
}

/// A writer whose bytes are kept.
struct Written {
  std::string bytes = {};
  Writer writer{[this](std::string_view more) {
    bytes += more;
    return ok();
  }};

  std::string finished() {
    REQUIRE(writer.finish());
    CHECK(writer.nr_bytes() == bytes.size());
    return bytes;
  }
};

struct KeptCell {
  Cell::Kind kind = Cell::Kind::kNothing;
  uint8_t fault = 0;
  uint64_t number = 0;
  std::string bytes = {};
  bool operator==(const KeptCell &) const = default;

  Cell cell() const { return {.kind = kind, .fault = fault, .number = number, .bytes = bytes}; }
};

inline KeptCell nothing() { return {}; }
inline KeptCell null() { return {.kind = Cell::Kind::kNull}; }
inline KeptCell number(uint64_t value) { return {.kind = Cell::Kind::kNumber, .number = value}; }
inline KeptCell text(std::string value) { return {.kind = Cell::Kind::kText, .bytes = std::move(value)}; }
inline KeptCell bytes(std::string value) { return {.kind = Cell::Kind::kBytes, .bytes = std::move(value)}; }
inline KeptCell fault(uint8_t kind, uint64_t address) {
  return {.kind = Cell::Kind::kFault, .fault = kind, .number = address};
}

struct KeptRow {
  uint32_t probe = 0, cpu = 0;
  uint64_t time_ns = 0, thread = 0;
  std::vector<KeptCell> cells = {};
  bool operator==(const KeptRow &) const = default;
};

inline std::ostream &operator<<(std::ostream &out, const KeptRow &row) {
  out << "probe " << row.probe << " cpu " << row.cpu << " time " << row.time_ns << " thread " << row.thread;
  for (const KeptCell &cell : row.cells)
    out << " (" << static_cast<int>(cell.kind) << ' ' << int{cell.fault} << ' ' << cell.number << ' ' << cell.bytes
        << ')';
  return out;
}

inline void add(Writer &writer, const KeptRow &row) {
  std::vector<Cell> cells;
  for (const KeptCell &cell : row.cells) cells.push_back(cell.cell());
  writer.add({.probe = row.probe, .cpu = row.cpu, .time_ns = row.time_ns, .thread = row.thread, .cells = cells});
}

inline KeptRow keep(const Row &row) {
  KeptRow kept{.probe = row.probe, .cpu = row.cpu, .time_ns = row.time_ns, .thread = row.thread};
  for (const Cell &cell : row.cells)
    kept.cells.push_back(
        {.kind = cell.kind, .fault = cell.fault, .number = cell.number, .bytes = std::string(cell.bytes)});
  return kept;
}

/// The rows up to the end or an error.
struct RowsRead {
  std::vector<KeptRow> rows;
  std::string error;  // empty: none
};

inline RowsRead read_rows(Reader &reader) {
  RowsRead read;
  for (;;) {
    const Result<std::optional<Row>> row = reader.next();
    if (!row) {
      read.error = row.error().text();
      return read;
    }
    if (!*row) return read;
    read.rows.push_back(keep(**row));
  }
}

inline std::vector<uint64_t> times_of(const std::vector<KeptRow> &rows) {
  std::vector<uint64_t> times;
  for (const KeptRow &row : rows) times.push_back(row.time_ns);
  return times;
}

/// Leaves 1..n, the set `id` of them, and a probe of the same ID.
inline void define_probe(Writer &writer, uint32_t id, uint32_t nr_leaves) {
  LeafSet set{.id = id, .leaves = {}};
  for (uint32_t i = 1; i <= nr_leaves; ++i) set.leaves.push_back(i);
  writer.define(set);
  writer.define(Probe{.id = id,
                      .provider = "p",
                      .module = "",
                      .function = "f" + std::to_string(id),
                      .name = "entry",
                      .shown_function = "",
                      .arguments_error = "",
                      .arguments = {},
                      .leaves = id});
}

inline void define_leaves(Writer &writer, uint32_t count) {
  for (uint32_t i = 1; i <= count; ++i)
    writer.define(Leaf{.id = i, .identity = "(arg " + std::to_string(i) + ")", .label = "arg", .type = "int64_t"});
}

}  // namespace dtrace::recording
