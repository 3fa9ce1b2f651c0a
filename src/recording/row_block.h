// SPDX-License-Identifier: Apache-2.0
// A block of rows that is being read. Nothing is copied: rows are decoded one by one from the payload, whose columns
// have a position each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "recording/definitions.h"
#include "recording/format.h"
#include "recording/model.h"
#include "recording/varint.h"

namespace dtrace::recording {

class RowBlock {
 public:
  /// The payload goes here before load().
  std::string &payload() { return payload_; }

  /// Looks through the payload's fields. Errors: it is damaged.
  Result<Unit> load(const BlockHead &head, const Definitions &definitions);

  /// Goes on to the next row. False: there is none; failure() says if that is because of damage.
  bool advance();
  uint64_t time_ns() const { return time_ns_; }  ///< of the row that advance() reached

  /// The row that advance() reached, once. Cells go to `cells` and borrow from the block. False: it is damaged.
  bool read(Row &row, std::vector<Cell> &cells);

  const char *failure() const { return failure_; }  ///< null: none
  uint64_t memory_bytes() const;

 private:
  struct Column {
    Cursor kinds, numbers, texts, faults;
    uint64_t run = 0;  // left of it
    uint64_t before = 0;
    Cell::Kind kind = Cell::Kind::kNumber;
    bool has_deltas = false;
  };
  struct BlockProbe {
    uint32_t id = 0;
    uint32_t nr_columns = 0;
    size_t first_column = 0;
  };

  void load_fields(const Definitions &definitions);
  void load_cells(std::string_view bytes, const Definitions &definitions);
  void load_probes(Cursor ids, const Definitions &definitions);
  Column load_column(std::string_view bytes) const;
  bool read_cell(Column &column, Cell &cell);
  bool fail(const char *why);
  bool all_is_read() const;

  std::string payload_;
  BlockHead head_;
  std::vector<BlockProbe> probes_;
  std::vector<uint64_t> threads_;
  std::vector<std::string_view> texts_;
  std::vector<Column> columns_;
  std::vector<std::pair<uint32_t, size_t>> sets_;  // ID and first column, by ID
  Cursor row_probes_, row_times_, row_threads_;
  uint32_t rows_left_ = 0;
  uint64_t time_ns_ = 0;
  const char *failure_ = nullptr;
};

}  // namespace dtrace::recording
