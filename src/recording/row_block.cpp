// SPDX-License-Identifier: Apache-2.0
#include "recording/row_block.h"

#include <algorithm>

#include "recording/fields.h"
#include "recording/message.h"

namespace dtrace::recording {

Result<Unit> RowBlock::load(const BlockHead &head, const Definitions &definitions) {
  head_ = head;
  probes_.clear();
  threads_.clear();
  texts_.clear();
  columns_.clear();
  sets_.clear();
  row_probes_ = row_times_ = row_threads_ = {};
  rows_left_ = head.nr_rows;
  time_ns_ = head.first_ns;
  failure_ = nullptr;
  try {
    load_fields(definitions);
  } catch (const protozero::exception &damage) {
    return Error(damage.what());
  }
  return ok();
}

void RowBlock::load_fields(const Definitions &definitions) {
  Cursor probe_ids, threads;
  Message<RowsField> message(payload_.data(), payload_.size());
  while (message.next()) switch (message.tag_and_type()) {
      case bytes_of(RowsField::kProbe):
        probe_ids = cursor_of(take_bytes(message));
        break;
      case bytes_of(RowsField::kThread):
        threads = cursor_of(take_bytes(message));
        break;
      case bytes_of(RowsField::kText):
        if (texts_.size() == kMaxTextsOfBlock) throw Damaged("there are too many texts");
        texts_.push_back(take_bytes(message));
        break;
      case bytes_of(RowsField::kRowProbes):
        row_probes_ = cursor_of(take_bytes(message));
        break;
      case bytes_of(RowsField::kRowTimes):
        row_times_ = cursor_of(take_bytes(message));
        break;
      case bytes_of(RowsField::kRowThreads):
        row_threads_ = cursor_of(take_bytes(message));
        break;
      case bytes_of(RowsField::kCells):
        load_cells(take_bytes(message), definitions);
        break;
      default:
        message.skip();
    }
  std::ranges::sort(sets_);
  for (size_t i = 1; i < sets_.size(); ++i)
    if (sets_[i].first == sets_[i - 1].first) throw Damaged("the cells of a set stand there twice");
  load_probes(probe_ids, definitions);
  while (!threads.is_at_end()) {
    if (threads_.size() == head_.nr_rows) throw Damaged("there are more threads than rows");
    threads_.push_back(take_packed<uint64_t>(threads));
  }
}

void RowBlock::load_cells(std::string_view bytes, const Definitions &definitions) {
  uint32_t set = 0;
  const size_t first_column = columns_.size();
  Message<CellsField> message(bytes.data(), bytes.size());
  while (message.next()) switch (message.tag_and_type()) {
      case number_of(CellsField::kSet):
        set = take_number<uint32_t>(message);
        break;
      case bytes_of(CellsField::kColumn):
        if (columns_.size() == kMaxColumnsOfBlock) throw Damaged("there are too many columns");
        columns_.push_back(load_column(take_bytes(message)));
        break;
      default:
        message.skip();
    }
  if (set == 0 || set > definitions.sets.size()) throw Damaged("a row's set of leaves is not defined");
  if (definitions.sets[set - 1].leaves.size() != columns_.size() - first_column)
    throw Damaged("there are not as many columns as the set has leaves");
  sets_.emplace_back(set, first_column);
}

void RowBlock::load_probes(Cursor ids, const Definitions &definitions) {
  while (!ids.is_at_end()) {
    if (probes_.size() == head_.nr_rows) throw Damaged("there are more probes than rows");
    const Probe *const probe = definitions.probe(take_packed<uint32_t>(ids));
    if (probe == nullptr) throw Damaged("a row's probe is not defined");
    BlockProbe known{.id = probe->id};
    if (probe->leaves != 0) known.nr_columns = static_cast<uint32_t>(definitions.sets[probe->leaves - 1].leaves.size());
    if (known.nr_columns != 0) {
      const auto found = std::ranges::lower_bound(sets_, probe->leaves, {}, &std::pair<uint32_t, size_t>::first);
      if (found == sets_.end() || found->first != probe->leaves) throw Damaged("the cells of a set are missing");
      known.first_column = found->second;
    }
    probes_.push_back(known);
  }
}

RowBlock::Column RowBlock::load_column(std::string_view bytes) const {
  Column column;
  bool has_kinds = false, has_plain = false;
  Message<ColumnField> message(bytes.data(), bytes.size());
  while (message.next()) switch (message.tag_and_type()) {
      case bytes_of(ColumnField::kKinds):
        column.kinds = cursor_of(take_bytes(message));
        has_kinds = true;
        break;
      case bytes_of(ColumnField::kPlain):
        column.numbers = cursor_of(take_bytes(message));
        has_plain = true;
        break;
      case bytes_of(ColumnField::kDeltas):
        column.numbers = cursor_of(take_bytes(message));
        column.has_deltas = true;
        break;
      case bytes_of(ColumnField::kTexts):
        column.texts = cursor_of(take_bytes(message));
        break;
      case bytes_of(ColumnField::kFaults):
        column.faults = cursor_of(take_bytes(message));
        break;
      default:
        message.skip();
    }
  if (has_plain && column.has_deltas) throw Damaged("a column has its numbers twice");
  // Without runs all are numbers.
  if (!has_kinds) column.run = head_.nr_rows;
  return column;
}

bool RowBlock::fail(const char *why) {
  failure_ = why;
  return false;
}

bool RowBlock::all_is_read() const {
  return row_probes_.is_at_end() && row_times_.is_at_end() && row_threads_.is_at_end() &&
         std::ranges::all_of(columns_, [](const Column &column) {
           return column.kinds.is_at_end() && column.numbers.is_at_end() && column.texts.is_at_end() &&
                  column.faults.is_at_end();
         });
}

bool RowBlock::advance() {
  if (failure_ != nullptr) return false;
  if (rows_left_ == 0) return all_is_read() ? false : fail("it has more cells than its rows");
  --rows_left_;
  uint64_t delta = 0;
  if (!row_times_.varint(delta)) return fail("a row has no time");
  time_ns_ += from_zigzag(delta);
  if (time_ns_ < head_.first_ns || time_ns_ > head_.last_ns)
    return fail("a row's time is not within those of its block");
  return true;
}

bool RowBlock::read(Row &row, std::vector<Cell> &cells) {
  uint64_t probe = 0, thread = 0;
  if (!row_probes_.varint(probe) || probe >= probes_.size()) return fail("a row has no probe");
  if (!row_threads_.varint(thread) || thread >= threads_.size()) return fail("a row has no thread");
  const BlockProbe &known = probes_[probe];
  if (cells.size() < known.nr_columns) cells.resize(known.nr_columns);
  for (uint32_t i = 0; i < known.nr_columns; ++i)
    if (!read_cell(columns_[known.first_column + i], cells[i])) return fail("a cell has no value");
  row = {.probe = known.id,
         .cpu = head_.cpu,
         .time_ns = time_ns_,
         .thread = threads_[thread],
         .cells = std::span<const Cell>(cells).first(known.nr_columns)};
  return true;
}

bool RowBlock::read_cell(Column &column, Cell &cell) {
  while (column.run == 0) {
    uint64_t kind = 0;
    if (!column.kinds.varint(kind) || kind > static_cast<uint64_t>(Cell::Kind::kFault)) return false;
    if (!column.kinds.varint(column.run)) return false;
    column.kind = static_cast<Cell::Kind>(kind);
  }
  --column.run;
  cell = {.kind = column.kind};
  uint64_t number = 0;
  switch (column.kind) {
    case Cell::Kind::kNothing:
    case Cell::Kind::kNull:
      break;
    case Cell::Kind::kNumber:
      if (!column.numbers.varint(number)) return false;
      cell.number = column.before = column.has_deltas ? column.before + from_zigzag(number) : number;
      break;
    case Cell::Kind::kText:
    case Cell::Kind::kBytes:
      if (!column.texts.varint(number) || number >= texts_.size()) return false;
      cell.bytes = texts_[number];
      break;
    case Cell::Kind::kFault:
      if (!column.faults.varint(number) || number > UINT8_MAX || !column.faults.varint(cell.number)) return false;
      cell.fault = static_cast<uint8_t>(number);
      break;
  }
  return true;
}

uint64_t RowBlock::memory_bytes() const {
  return payload_.capacity() + probes_.capacity() * sizeof(BlockProbe) + threads_.capacity() * sizeof(uint64_t) +
         texts_.capacity() * sizeof(std::string_view) + columns_.capacity() * sizeof(Column) +
         sets_.capacity() * sizeof(sets_[0]);
}

}  // namespace dtrace::recording
