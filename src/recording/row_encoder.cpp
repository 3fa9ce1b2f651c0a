// SPDX-License-Identifier: Apache-2.0
#include "recording/row_encoder.h"

#include <algorithm>
#include <bit>

#include "recording/fields.h"

namespace dtrace::recording {
namespace {

uint64_t varint_bytes(uint64_t number) { return (static_cast<uint64_t>(std::bit_width(number | 1)) + 6) / 7; }

void end_run(ColumnBuffers &column) {
  append_varint(column.kinds, static_cast<uint64_t>(column.kind));
  append_varint(column.kinds, column.run);
}

/// Differences are written where they are shorter in all.
ColumnField write_numbers(const std::vector<uint64_t> &numbers, std::string &to) {
  uint64_t plain_bytes = 0, delta_bytes = 0, before = 0;
  for (const uint64_t number : numbers) {
    plain_bytes += varint_bytes(number);
    delta_bytes += varint_bytes(zigzag(number - before));
    before = number;
  }
  const bool is_plain = plain_bytes <= delta_bytes;
  to.resize(std::min(plain_bytes, delta_bytes));
  char *next = to.data();
  before = 0;
  for (const uint64_t number : numbers) {
    next = put_varint(next, is_plain ? number : zigzag(number - before));
    before = number;
  }
  return is_plain ? ColumnField::kPlain : ColumnField::kDeltas;
}

template <typename Field>
void add_unless_empty(Builder<Field> &message, Field field, const std::string &bytes) {
  if (!bytes.empty()) message.add_bytes(field, bytes);
}

}  // namespace

bool RowEncoder::define_set(uint32_t id, size_t nr_cells) {
  if (id != sets_.size()) return false;
  sets_.emplace_back().columns.resize(nr_cells);
  return true;
}

std::optional<uint32_t> RowEncoder::define_probe(uint32_t id, uint32_t set) {
  if (set >= sets_.size()) return std::nullopt;
  probes_.push_back({.id = id, .set = set});
  return static_cast<uint32_t>(probes_.size() - 1);
}

std::string_view RowEncoder::encode(const PendingRows &rows) {
  ++block_;
  threads_.clear();
  texts_.clear();
  used_sets_.clear();
  for (std::string *const each : {&probe_ids_, &thread_ids_, &row_probes_, &row_times_, &row_threads_, &payload_})
    each->clear();
  time_ns_ = rows.first_ns();
  nr_probes_ = 0;
  rows.for_each([&](uint32_t slot, uint64_t time_ns, uint64_t thread) { return begin_row(slot, time_ns, thread); },
                [&](ColumnBuffers &column, const Cell &cell) { add_cell(column, cell); });
  finish();
  return payload_;
}

std::span<ColumnBuffers> RowEncoder::begin_row(uint32_t slot, uint64_t time_ns, uint64_t thread) {
  KnownProbe &probe = probes_[slot];
  KnownSet &set = sets_[probe.set];
  if (probe.block != block_) {
    probe.block = block_;
    probe.number = nr_probes_++;
    append_varint(probe_ids_, probe.id);
    if (set.block != block_ && !set.columns.empty()) {
      set.block = block_;
      used_sets_.push_back(probe.set);
    }
  }
  append_varint(row_probes_, probe.number);
  append_varint(row_times_, zigzag(time_ns - time_ns_));
  time_ns_ = time_ns;
  const auto [number, is_new] = threads_.number_of(thread);
  if (is_new) append_varint(thread_ids_, thread);
  append_varint(row_threads_, number);
  return set.columns;
}

void RowEncoder::add_cell(ColumnBuffers &column, const Cell &cell) {
  if (cell.kind != column.kind) {
    if (column.run != 0) end_run(column);
    column.kind = cell.kind;
    column.run = 0;
  }
  ++column.run;
  switch (cell.kind) {
    case Cell::Kind::kNothing:
    case Cell::Kind::kNull:
      break;
    case Cell::Kind::kNumber:
      column.numbers.push_back(cell.number);
      break;
    case Cell::Kind::kText:
    case Cell::Kind::kBytes: {
      const auto [number, is_new] = texts_.number_of(cell.bytes);
      if (is_new) Builder<RowsField>(payload_).add_bytes(RowsField::kText, cell.bytes.data(), cell.bytes.size());
      append_varint(column.texts, number);
      break;
    }
    case Cell::Kind::kFault:
      append_varint(column.faults, cell.fault);
      append_varint(column.faults, cell.number);
      break;
  }
}

/// Adds all that is not in the payload yet, and empties the columns.
void RowEncoder::finish() {
  Builder<RowsField> block(payload_);
  block.add_bytes(RowsField::kProbe, probe_ids_);
  block.add_bytes(RowsField::kThread, thread_ids_);
  block.add_bytes(RowsField::kRowProbes, row_probes_);
  block.add_bytes(RowsField::kRowTimes, row_times_);
  block.add_bytes(RowsField::kRowThreads, row_threads_);
  for (const uint32_t id : used_sets_) {
    Builder<CellsField> cells(block, RowsField::kCells);
    cells.add_uint32(CellsField::kSet, id);
    for (ColumnBuffers &column : sets_[id].columns) {
      Builder<ColumnField> message(cells, CellsField::kColumn);
      // Without runs all are numbers.
      if (!column.kinds.empty() || column.kind != Cell::Kind::kNumber) end_run(column);
      add_unless_empty(message, ColumnField::kKinds, column.kinds);
      const ColumnField field = write_numbers(column.numbers, scratch_);
      add_unless_empty(message, field, scratch_);
      add_unless_empty(message, ColumnField::kTexts, column.texts);
      add_unless_empty(message, ColumnField::kFaults, column.faults);
      column.kinds.clear();
      column.texts.clear();
      column.faults.clear();
      column.numbers.clear();
      column.kind = Cell::Kind::kNumber;
      column.run = 0;
    }
  }
}

}  // namespace dtrace::recording
