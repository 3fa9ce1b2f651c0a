// SPDX-License-Identifier: Apache-2.0
// Pieces with colours for a terminal: keys of aggregations, and the bars of their histograms. Without the escape
// sequences the text is that of PlainPieces.
#pragma once

#include <string>

#include "runtime/print/pieces.h"

namespace dtrace::runtime {

class ColouredPieces final : public Pieces {
 public:
  explicit ColouredPieces(Output &output) : Pieces(output.text()), output_(output) {}

  /// Also to be called when the output has written its text.
  void end(const Piece &piece) override;
  void row_done() override;
  void set_colour(bool wanted) override { is_coloured_ = wanted; }

 private:
  Output &output_;
  size_t begin_ = 0;  // of the piece, in the output's text
  bool is_coloured_ = false;
};

}  // namespace dtrace::runtime
