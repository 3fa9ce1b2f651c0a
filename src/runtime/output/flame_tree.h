// SPDX-License-Identifier: Apache-2.0
// Stacks as trees of frames: what flame graphs are drawn from. One tree for each aggregation or probe with stacks.
//
// The sums are those of format folded: a path of frames has the value of the line with the same names.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/output/stack_samples.h"

namespace dtrace::runtime {

struct FlameFrame {
  std::string name;
  FrameKind kind = FrameKind::kUser;
  std::string note;  ///< of a key its D text, of a function its source file; empty: not known
  friend auto operator<=>(const FlameFrame &, const FlameFrame &) = default;
};

struct FlameNode {
  uint32_t frame = 0;  ///< index of FlameGraph::frames
  uint32_t depth = 0;  ///< 0: outermost
  uint64_t self = 0;   ///< of stacks that end here
  double total = 0;    ///< with all below; exact up to 2^53
};

/// Nodes in preorder: a node's subtree is what follows it until a depth that is not greater. Siblings: the greatest
/// first.
struct FlameTree {
  std::string name;      ///< "@NAME", or a probe
  std::string function;  ///< the aggregating function; of a probe "rows"
  Quantity quantity{};   ///< what the values measure
  bool adds_up = true;   ///< a sum of values means something: not so for min(), max(), avg() and stddev()
  double total = 0;
  std::vector<FlameNode> nodes;
};

struct FlameGraph {
  std::vector<FlameFrame> frames;
  std::vector<FlameTree> trees;  ///< one for each source, in their order; without nodes if no value is left
};

/// `width_of`: StackSink::width_of().
using WidthOf = std::function<std::optional<uint64_t>(const SampleSource &source, const StackSample &sample)>;
FlameGraph flame_graph(const StackSamples &samples, const WidthOf &width_of);

/// "key", "user", ...: the word of a kind in pages and style sheets; and what legends call it.
std::string frame_kind_word(FrameKind kind);
std::string_view frame_kind_text(FrameKind kind);
inline constexpr FrameKind kFrameKinds[] = {
#define FRAME_KIND(name, text) FrameKind::k##name,
#include "runtime/output/frame_kinds.def"
#undef FRAME_KIND
};

}  // namespace dtrace::runtime
