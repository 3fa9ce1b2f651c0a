// SPDX-License-Identifier: Apache-2.0
// The text formats of Prometheus (0.0.4) and OpenMetrics (1.0.0). They differ in names of families, in types, in how a
// bound is written, and in that OpenMetrics has no count for a histogram without a sum, which D's have not.
// Source: prometheus.io/docs/instrumenting/exposition_formats; the OpenMetrics specification.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/metrics/metric_writer.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kPrefix = "dtrace_";

void append_escaped_text(std::string &out, std::string_view text, bool quotes) {
  for (const char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\\')
      out += "\\\\";
    else if (c == '"' && quotes)
      out += "\\\"";
    else
      out += c;
  }
}

/// OpenMetrics writes some numbers in one form only, because labels are compared as text: 1.0, and 1e+06 for a million.
std::string bound_text(int64_t bound, bool open_metrics) {
  if (!open_metrics) return std::to_string(bound);
  int64_t power = 1'000'000;
  for (int exponent = 6; exponent <= 10; ++exponent, power *= 10)
    if (bound == power) return fmt::format("1e+{:02}", exponent);
  return std::to_string(bound) + ".0";
}

class TextWriter final : public MetricWriter {
 public:
  explicit TextWriter(bool open_metrics) : open_metrics_(open_metrics) {}

  MetricFormat format() const override {
    return open_metrics_ ? MetricFormat::kOpenMetrics : MetricFormat::kPrometheus;
  }

  void begin_block(const MetricFamily &family, const MetricBlock &block) override {
    name_ = fmt::format("{}{}{}", kPrefix, family.name, block.suffix);
    header(name_, block.type, family.help, {});
    if (!family.shape.is_histogram()) return;
    // The same for each entry: texts of the bounds.
    bound_texts_.clear();
  }

  void entry(const MetricFamily &family, const MetricBlock &block, const std::vector<std::string> &labels,
             std::span<const uint64_t> words, const Bounds &bounds) override {
    labels_.clear();
    for (size_t i = 0; i < labels.size(); ++i) append_label(labels_, family.labels[i], labels[i]);
    if (block.samples.empty()) return histogram(words, bounds);
    for (const SampleRow &sample : block.samples) {
      text_ += name_;
      text_ += sample.suffix;
      close_labels({});
      text_ += sample_text(family, sample.value, words);
      text_ += '\n';
    }
  }

  void plain(const PlainMetric &metric) override {
    if (metric.samples.empty()) return;
    const bool is_counter = metric.type == MetricType::kCounter;
    const std::string base = fmt::format("{}{}", kPrefix, metric.name);
    const std::string full = is_counter ? base + "_total" : base;
    header(is_counter && !open_metrics_ ? full : base, metric.type, metric.help, metric.unit);
    for (const PlainSample &sample : metric.samples) {
      labels_.clear();
      for (const auto &[name, value] : sample.labels) append_label(labels_, name, value);
      text_ += full;
      close_labels({});
      std::visit([this](auto value) { fmt::format_to(std::back_inserter(text_), "{}\n", value); }, sample.value);
    }
  }

  void end() override {
    if (open_metrics_) text_ += "# EOF\n";
  }

 private:
  void header(std::string_view name, MetricType type, std::string_view help, std::string_view unit) {
    const bool is_untyped = type == MetricType::kUnknown && !open_metrics_;
    if (open_metrics_) fmt::format_to(std::back_inserter(text_), "# TYPE {} {}\n", name, type_word(type));
    if (open_metrics_ && !unit.empty()) fmt::format_to(std::back_inserter(text_), "# UNIT {} {}\n", name, unit);
    fmt::format_to(std::back_inserter(text_), "# HELP {} ", name);
    append_escaped_text(text_, help, open_metrics_);
    text_ += '\n';
    if (!open_metrics_)
      fmt::format_to(std::back_inserter(text_), "# TYPE {} {}\n", name, is_untyped ? "untyped" : type_word(type));
  }

  static void append_label(std::string &out, std::string_view name, std::string_view value) {
    if (!out.empty()) out += ',';
    out += name;
    out += "=\"";
    append_escaped_text(out, value, true);
    out += '"';
  }

  /// The labels of the entry and the bound, if there is one, and a blank.
  void close_labels(std::string_view bound) {
    if (!labels_.empty() || !bound.empty()) {
      text_ += '{';
      text_ += labels_;
      if (!bound.empty()) {
        if (!labels_.empty()) text_ += ',';
        text_ += "le=\"";
        text_ += bound;
        text_ += '"';
      }
      text_ += '}';
    }
    text_ += ' ';
  }

  void bucket(std::string_view bound, uint64_t count) {
    text_ += name_;
    text_ += "_bucket";
    close_labels(bound);
    text_ += fmt::format_int(count).c_str();
    text_ += '\n';
  }

  void histogram(std::span<const uint64_t> words, const Bounds &bounds) {
    if (has_negative_count(words)) return;
    if (bound_texts_.empty())
      for (const int64_t upper : bounds.upper) bound_texts_.push_back(bound_text(upper, open_metrics_));
    uint64_t count = 0;
    uint32_t next = 0;
    for (size_t i = 0; i < bounds.upper.size(); ++i) {
      for (; next <= bounds.bucket[i]; ++next) count += words[next];
      if (count != 0 || i >= bounds.always_from) bucket(bound_texts_[i], count);
    }
    for (; next < words.size(); ++next) count += words[next];
    bucket("+Inf", count);
    if (open_metrics_) return;
    text_ += name_;
    text_ += "_count";
    close_labels({});
    text_ += fmt::format_int(count).c_str();
    text_ += '\n';
  }

  bool open_metrics_;
  std::string name_, labels_;
  std::vector<std::string> bound_texts_;
};

}  // namespace

std::unique_ptr<MetricWriter> make_text_writer(MetricFormat format) {
  return std::make_unique<TextWriter>(format == MetricFormat::kOpenMetrics);
}

}  // namespace dtrace::runtime
