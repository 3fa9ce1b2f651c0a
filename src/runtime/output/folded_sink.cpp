// SPDX-License-Identifier: Apache-2.0
// Stacks as lines "frame;frame;... value", outermost first, as the tools for flame graphs read them: keys beside
// stacks, then the user's frames, then the kernel's with "_[k]" behind them. Equal lines are one.
// doc/output-formats.md.
#include <fmt/format.h>

#include "runtime/output/stack_sink.h"

namespace dtrace::runtime {
namespace {

class FoldedSink final : public StackSink {
 public:
  explicit FoldedSink(const SinkParts &parts) : StackSink(parts, "folded", false) {}

 private:
  std::string contents(const StackSamples &samples, std::span<const Loss>) override {
    std::map<std::pair<uint32_t, std::string>, StackSample> lines;
    for (const StackSample &sample : samples.samples()) {
      const auto [known, is_new] = lines.try_emplace({sample.source, line_of(samples, sample)}, sample);
      if (!is_new) add_words(known->second, sample, samples.sources()[sample.source].shape);
    }
    std::string text;
    for (const auto &[line, sample] : lines) {
      const SampleSource &source = samples.sources()[line.first];
      if (const std::optional<uint64_t> value = width_of(source, sample))
        text += fmt::format("{} {}\n", line.second, *value);
    }
    return text;
  }

  static std::string line_of(const StackSamples &samples, const StackSample &sample) {
    std::string line;
    if (samples.sources().size() > 1) append_folded(line, samples.sources()[sample.source].name);
    for (const SampledKey &key : sample.keys) append_folded(line, key.text());
    for (auto frame = sample.frames.rbegin(); frame != sample.frames.rend(); ++frame)
      append_folded(line, samples.frames()[*frame]);
    if (sample.frames.empty()) append_folded(line, "[no frames]");
    return line;
  }
};

}  // namespace

std::unique_ptr<Sink> make_folded_sink(const SinkParts &parts) { return std::make_unique<FoldedSink>(parts); }

}  // namespace dtrace::runtime
