// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "runtime/metrics/metric_writer.h"

namespace dtrace::runtime {

__extension__ typedef unsigned __int128 Uint128;

std::string sample_text(const MetricFamily &family, ValueOf which, std::span<const uint64_t> words) {
  if (which == ValueOf::kSquares) return fmt::format("{}", static_cast<Uint128>(words[3]) << 64 | words[2]);
  const AggregatingRow &about = row(family.shape.function);
  const bool is_count = which == ValueOf::kFirst && about.counter == 0;
  const uint64_t value = words[which == ValueOf::kFirst ? 0 : 1];
  if (is_count || family.is_never_negative) return std::to_string(value);
  return std::to_string(static_cast<int64_t>(value));
}

MetricRendering::MetricRendering(std::unique_ptr<MetricWriter> writer, std::vector<FamilySnapshot> families,
                                 std::vector<PlainMetric> plain, const LabelTexts &texts,
                                 const MetricSnapshots &snapshots_of)
    : writer_(std::move(writer)),
      families_(std::move(families)),
      plain_(std::move(plain)),
      texts_(texts),
      snapshots_of_(snapshots_of) {
  writer_->begin();
}

/// The next block that has something to show; false: there is none.
bool MetricRendering::next_block() {
  for (;;) {
    if (in_block_) {
      writer_->end_block();
      in_block_ = false;
      if (++block_ == blocks_.size()) {
        families_[family_] = {};  // its memory
        ++family_;
        block_ = 0;
      }
    }
    if (family_ == families_.size()) return false;
    const FamilySnapshot &snapshot = families_[family_];
    if (snapshot.nr_entries == 0) {
      ++family_;
      continue;
    }
    if (block_ == 0) blocks_ = snapshot.family->blocks(writer_->format());
    writer_->begin_block(*snapshot.family, blocks_[block_]);
    entry_ = 0;
    in_block_ = true;
    return true;
  }
}

bool MetricRendering::advance(size_t entries) {
  if (ended_) return false;
  for (; entries > 0; --entries) {
    while (!in_block_ || entry_ == families_[family_].nr_entries)
      if (!next_block()) {
        for (const PlainMetric &metric : plain_) writer_->plain(metric);
        writer_->end();
        ended_ = true;
        return false;
      }
    const FamilySnapshot &snapshot = families_[family_];
    const std::span<const uint64_t> words = snapshot.words_of(entry_);
    if (snapshot.family->has_value(words))
      writer_->entry(*snapshot.family, blocks_[block_], snapshot.labels_of(entry_, texts_), words,
                     snapshots_of_.bounds(snapshot.family->aggregation));
    ++entry_;
  }
  return true;
}

}  // namespace dtrace::runtime
