// SPDX-License-Identifier: Apache-2.0
// From a snapshot to the text of a format, a part at a time, so that the tracer is never kept from its buffers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/metrics/metric_family.h"
#include "runtime/metrics/metric_snapshot.h"
#include "runtime/metrics/plain_metric.h"

namespace dtrace::runtime {

/// A format: appends to its text.
class MetricWriter {
 public:
  virtual ~MetricWriter() = default;
  virtual MetricFormat format() const = 0;
  virtual void begin() {}
  virtual void begin_block(const MetricFamily &family, const MetricBlock &block) = 0;
  /// One entry of the block that began last. `bounds`: of a histogram.
  virtual void entry(const MetricFamily &family, const MetricBlock &block, const std::vector<std::string> &labels,
                     std::span<const uint64_t> words, const Bounds &bounds) = 0;
  virtual void end_block() {}
  virtual void plain(const PlainMetric &metric) = 0;
  virtual void end() = 0;

  std::string &text() { return text_; }

 protected:
  std::string text_;
};

/// What a push says of where it comes from.
struct OtlpSource {
  std::string host_name, service_name, version;
  uint64_t start_ns = 0, now_ns = 0;  ///< since 1970
};
std::unique_ptr<MetricWriter> make_text_writer(MetricFormat format);
std::unique_ptr<MetricWriter> make_otlp_writer(OtlpSource source);

/// The number that a sample shows, in decimal digits.
std::string sample_text(const MetricFamily &family, ValueOf which, std::span<const uint64_t> words);

class MetricRendering {
 public:
  /// All of it is kept; `texts` and `snapshots_of` outlive this.
  MetricRendering(std::unique_ptr<MetricWriter> writer, std::vector<FamilySnapshot> families,
                  std::vector<PlainMetric> plain, const LabelTexts &texts, const MetricSnapshots &snapshots_of);

  /// Goes on for so many entries, or to the end. False: there is no more to come.
  bool advance(size_t entries);
  /// What has been made and not taken yet.
  std::string &text() { return writer_->text(); }

 private:
  bool next_block();

  std::unique_ptr<MetricWriter> writer_;
  std::vector<FamilySnapshot> families_;
  std::vector<PlainMetric> plain_;
  const LabelTexts &texts_;
  const MetricSnapshots &snapshots_of_;
  std::vector<MetricBlock> blocks_;
  size_t family_ = 0, block_ = 0, entry_ = 0;
  bool in_block_ = false, ended_ = false;
};

}  // namespace dtrace::runtime
