// SPDX-License-Identifier: Apache-2.0
// What a run has shown of stacks: values of aggregations that stacks are keys of, and rows with stacks, which count.
// The formats of profilers are made of it, at the end.
//
// What a reader would get wrong: a program may show an aggregation many times. As it was shown last it counts, and what
// clear(), or trunc() of everything, took away after it was shown is added, by the aggregating function itself.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "plan/plan.h"
#include "runtime/events/aggregation_value.h"
#include "runtime/events/sink.h"
#include "runtime/events/value.h"
#include "runtime/print/text.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::runtime {

/// What a frame of a picture is. Rows: frame_kinds.def.
enum class FrameKind : uint8_t {
#define FRAME_KIND(name, text) k##name,
#include "runtime/output/frame_kinds.def"
#undef FRAME_KIND
};

/// A function at a frame.
struct SampledFunction {
  std::string name;    ///< "module`function", without an offset; what an address is shown as if it is in no function
  std::string source;  ///< "file.c:12"; empty: not known, or not wanted
  FrameKind kind = FrameKind::kUser;
  friend auto operator<=>(const SampledFunction &, const SampledFunction &) = default;
};

/// A frame: an address, and its functions, innermost first.
struct SampledFrame {
  std::vector<SampledFunction> functions;
  uint64_t address = 0;  ///< 0: it has none, or is not wanted
  bool in_kernel = false;
  CodeMapping mapping{};
  std::strong_ordering operator<=>(const SampledFrame &other) const;
  bool operator==(const SampledFrame &other) const { return (*this <=> other) == 0; }
};

/// A key beside the stacks. Text is valid UTF-8.
struct SampledKey {
  std::string name;  ///< D text of the key
  std::variant<Integer, std::string> value;
  std::string text() const;
};

struct StackSample {
  uint32_t source = 0;  ///< index of sources()
  std::vector<SampledKey> keys;
  std::vector<uint32_t> frames;  ///< indexes of frames(), innermost first, the kernel's before the user's
  std::vector<uint64_t> words;   ///< of the aggregating function; of rows: of count()
  bool overflows = false;        ///< a sum has left 64 bits: the words mean nothing
};

/// What values are of.
struct SampleSource {
  std::string name;  ///< "@NAME", or a probe
  bool is_probe = false;
  AggregationShape shape;
  uint64_t normal = 1;
  Quantity quantity{};  ///< what its values measure before they are normalised
};

class StackSamples {
 public:
  /// All of it outlives the samples. `with_mappings`: frames have them, and addresses.
  StackSamples(const Plan &plan, Symbolizer &symbolizer, bool with_mappings);

  void begin_row(const RowEvent &row);
  void value(const Value &value);  ///< of the row
  void other();                    ///< the row shows something else
  void end_row(const RowEvent &row);
  /// printa(), or the end.
  void show(AggregationViews views);
  /// clear(), or trunc() of everything.
  void clear(std::span<const uint32_t> aggregations);

  /// Nothing is added after this.
  void finish();
  const std::vector<SampleSource> &sources() const { return sources_; }
  const std::vector<SampledFrame> &frames() const { return frames_; }
  const std::vector<StackSample> &samples() const { return samples_; }
  /// What has no stack, for people; empty: everything has.
  std::string left_out() const;

 private:
  using Entries = std::map<std::string, StackSample>;  // by what tells one sample from the other

  uint32_t source_of_aggregation(const AggregationView &view);
  uint32_t source_of_probe(const RowEvent &row);
  void append_stack(const Value &stack, std::vector<uint32_t> &frames);
  std::string key_text(const Value &key) const;
  static std::string identity(const StackSample &sample);
  static void merge(Entries &into, const Entries &from, const AggregationShape &shape);

  const Plan &plan_;
  Symbolizer &symbolizer_;
  TextContext context_;
  bool with_mappings_;
  std::vector<SampleSource> sources_;
  std::map<std::string, uint32_t> source_index_;
  std::vector<SampledFrame> frames_;
  std::map<SampledFrame, uint32_t> frame_index_;
  std::map<uint32_t, Entries> shown_, settled_;  // by source: as shown last; what was taken away since
  std::vector<StackSample> samples_;

  struct OpenRow {
    std::vector<uint32_t> kernel, user;
    bool has_stack = false;
    uint64_t others = 0;
  };
  std::vector<OpenRow> open_;  // one more is within a row that commits it
  std::set<std::string> aggregations_left_out_;
  uint64_t rows_left_out_ = 0, values_left_out_ = 0;
};

/// Adds values of the same source.
void add_words(StackSample &into, const StackSample &from, const AggregationShape &shape);
/// Is there a value: was the aggregation updated since it was cleared?
bool has_value(const StackSample &sample, const AggregationShape &shape);

/// Frames of a stack, innermost first. `with_mappings`: with addresses, too, so that those of one function differ. A
/// user's stack that is cut has a last one which says why.
std::vector<SampledFrame> sampled_frames(const Value &stack, Symbolizer &symbolizer, bool with_mappings);
bool is_stack(const Value &value);

/// Appends a frame's functions to a line "frame;frame", outermost first; those of the kernel end in "_[k]".
void append_folded(std::string &line, const SampledFrame &frame);
/// Appends a name to such a line, which knows no escapes: a semicolon becomes a colon, a control character octal
/// digits.
void append_folded(std::string &line, std::string_view name);

}  // namespace dtrace::runtime
