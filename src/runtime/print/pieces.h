// SPDX-License-Identifier: Apache-2.0
// Where printers append text that consists of pieces: keys, values, formatted entries, and what stands between them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/events/aggregation_value.h"
#include "runtime/print/output.h"

namespace dtrace::runtime {

/// What a piece of printed text is.
struct Piece {
  enum Flag : uint32_t { kKey = 1, kValue = 2, kFormat = 4, kLast = 8 };
  uint32_t flags = 0;                       ///< of Flag; 0: what stands between keys and values
  std::string_view aggregation;             ///< name, if the piece is one's
  const AggregationView *view = nullptr;    ///< the same aggregation
  const AggregationEntry *entry = nullptr;  ///< the entry that the piece shows; null in joined rows that lack it
  bool has_bars = false;                    ///< a histogram's rows, or the bar of one entry among the others
};

class Pieces {
 public:
  virtual ~Pieces() = default;
  Pieces(const Pieces &) = delete;
  Pieces &operator=(const Pieces &) = delete;

  /// Append the current piece here.
  std::string &text() { return text_; }
  /// The text appended since the last call is `piece`. Empty text is none.
  virtual void end(const Piece &piece = {}) = 0;
  /// A row ends here, behind the last piece.
  virtual void row_done() = 0;
  /// Whether what follows may have colours.
  virtual void set_colour(bool) {}

 protected:
  explicit Pieces(std::string &text) : text_(text) {}

 private:
  std::string &text_;
};

/// Pieces one behind the other, as DTrace prints them.
class PlainPieces final : public Pieces {
 public:
  explicit PlainPieces(Output &output) : Pieces(output.text()), output_(output) {}
  void end(const Piece &) override {}
  void row_done() override { output_.row_done(); }

 private:
  Output &output_;
};

}  // namespace dtrace::runtime
