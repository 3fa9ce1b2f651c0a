// SPDX-License-Identifier: Apache-2.0
// -B: in place of each piece of text a description of it, by the names of the fields that a consumer with a handler for
// buffered output receives.
#include <vector>

#include "runtime/output/text_sink.h"
#include "runtime/print/buffered.h"

namespace dtrace::runtime {
namespace {

class BufferedPieces final : public Pieces {
 public:
  BufferedPieces(Output &output, const BufferedSource &source) : Pieces(piece_), output_(output), source_(source) {}
  ~BufferedPieces() override { BufferedPieces::end({}); }

  void end(const Piece &piece) override {
    if (piece_.empty()) return;
    output_.text() += buffered_text(piece_, piece, source_);
    piece_.clear();
  }
  void row_done() override { output_.row_done(); }

 private:
  Output &output_;
  const BufferedSource &source_;
  std::string piece_;
};

/// A base, so that it is there before the pieces that refer to it.
struct CurrentSource {
  BufferedSource source;
};

class BufferedSink final : private CurrentSource, public TextSink {
 public:
  explicit BufferedSink(const SinkParts &parts)
      : TextSink(parts, std::make_unique<BufferedPieces>(parts.output, source)) {}

  void begin_row(const RowEvent &row, const RowEvent *next) override {
    source = around(row);
    open_.push_back(&row);
    TextSink::begin_row(row, next);
  }

  void end_row(const RowEvent &row) override {
    source = around(row);
    TextSink::end_row(row);
    source = {};
    open_.pop_back();
  }

 private:
  static BufferedSource around(const RowEvent &row) { return {&row.probe, static_cast<int>(row.cpu), {}, 0, 0}; }

  void begin_item(const ActionPlan &action) override {
    TextSink::begin_item(action);
    source = around(*open_.back());
    source.action = row(action.kind).name;
    for (const ValuePlan &value : action.values) {
      if (value.size_bytes == 0) continue;
      if (source.size_bytes == 0) source.off_bytes = value.offset;
      source.size_bytes += value.size_bytes;
    }
  }

  std::vector<const RowEvent *> open_;  // rows: one more is within a row that commits it
};

}  // namespace

std::unique_ptr<Sink> make_buffered_sink(const SinkParts &parts) { return std::make_unique<BufferedSink>(parts); }

}  // namespace dtrace::runtime
