// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/flame_tree.h"

#include <algorithm>
#include <map>
#include <ranges>

#include "base/printable.h"
#include "runtime/print/units.h"

namespace dtrace::runtime {
namespace {

/// "main.c:12", "main.c": the file.
std::string file_of(const std::string &source) {
  const size_t colon = source.rfind(':');
  const bool has_line = colon != std::string::npos && colon + 1 < source.size() &&
                        source.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return has_line ? source.substr(0, colon) : source;
}

class FrameTable {
 public:
  uint32_t index(std::string name, FrameKind kind, std::string note) {
    FlameFrame frame{name.empty() ? "\"\"" : printable(name), kind, printable(note)};
    const auto [known, is_new] = index_.try_emplace(std::move(frame), static_cast<uint32_t>(frames_.size()));
    if (is_new) frames_.push_back(known->first);
    return known->second;
  }
  /// Indexes of a sampled frame's functions, outermost first.
  std::vector<uint32_t> of_functions(const SampledFrame &frame) {
    std::vector<uint32_t> indexes;
    for (const SampledFunction &function : std::views::reverse(frame.functions))
      indexes.push_back(index(function.name, function.kind, file_of(function.source)));
    return indexes;
  }
  std::vector<FlameFrame> take() { return std::move(frames_); }
  const FlameFrame &operator[](uint32_t index) const { return frames_[index]; }

 private:
  std::vector<FlameFrame> frames_;
  std::map<FlameFrame, uint32_t> index_;
};

/// A tree while stacks are added to it. Node 0 is the root; a parent comes before its children.
class Growing {
 public:
  void add(const std::vector<uint32_t> &path, const StackSample &sample, const AggregationShape &shape) {
    uint32_t at = 0;
    for (const uint32_t frame : path) {
      const auto [known, is_new] = nodes_[at].children.try_emplace(frame, static_cast<uint32_t>(nodes_.size()));
      const uint32_t next = known->second;  // the vector may move
      if (is_new) nodes_.push_back({frame, at});
      at = next;
    }
    std::optional<StackSample> &leaf = nodes_[at].leaf;
    if (leaf)
      add_words(*leaf, sample, shape);
    else
      leaf = StackSample{sample.source, {}, {}, sample.words, sample.overflows};
  }

  void finish(const SampleSource &source, const WidthOf &width_of, const FrameTable &frames, FlameTree &out) {
    for (Node &node : nodes_ | std::views::reverse) {
      if (node.leaf)
        if (const std::optional<uint64_t> width = width_of(source, *node.leaf)) {
          node.self = *width;
          node.has_value = true;
        }
      node.total += static_cast<double>(node.self);
      if (&node == nodes_.data()) break;
      nodes_[node.parent].total += node.total;
      nodes_[node.parent].has_value |= node.has_value;
    }
    out.total = nodes_[0].total;
    std::vector<std::pair<uint32_t, uint32_t>> waiting;  // node, depth
    for (const uint32_t child : ordered(nodes_[0], frames)) waiting.emplace_back(child, 0);
    while (!waiting.empty()) {
      const auto [index, depth] = waiting.back();
      waiting.pop_back();
      const Node &node = nodes_[index];
      out.nodes.push_back({node.frame, depth, node.self, node.total});
      for (const uint32_t child : ordered(node, frames)) waiting.emplace_back(child, depth + 1);
    }
  }

 private:
  struct Node {
    uint32_t frame = 0, parent = 0;
    std::map<uint32_t, uint32_t> children{};  // node by frame
    std::optional<StackSample> leaf{};
    uint64_t self = 0;
    double total = 0;
    bool has_value = false;
  };

  /// The last is to be the first.
  std::vector<uint32_t> ordered(const Node &node, const FrameTable &frames) const {
    std::vector<uint32_t> children;
    for (const auto &[frame, child] : node.children)
      if (nodes_[child].has_value) children.push_back(child);
    std::ranges::sort(children, [&](uint32_t a, uint32_t b) {
      if (nodes_[a].total != nodes_[b].total) return nodes_[a].total < nodes_[b].total;
      return frames[nodes_[a].frame] > frames[nodes_[b].frame];
    });
    return children;
  }

  std::vector<Node> nodes_{Node{}};
};

bool adds_up(const SampleSource &source) {
  switch (source.shape.function) {
    case AggregatingFunction::kMin:
    case AggregatingFunction::kMax:
    case AggregatingFunction::kAvg:
    case AggregatingFunction::kStddev:
      return false;
    default:
      return true;
  }
}

}  // namespace

FlameGraph flame_graph(const StackSamples &samples, const WidthOf &width_of) {
  FrameTable frames;
  std::vector<std::vector<uint32_t>> functions;  // by sampled frame
  for (const SampledFrame &frame : samples.frames()) functions.push_back(frames.of_functions(frame));
  std::vector<Growing> growing(samples.sources().size());
  for (const StackSample &sample : samples.samples()) {
    std::vector<uint32_t> path;
    for (const SampledKey &key : sample.keys) path.push_back(frames.index(key.text(), FrameKind::kKey, key.name));
    for (const uint32_t frame : std::views::reverse(sample.frames))
      path.insert(path.end(), functions[frame].begin(), functions[frame].end());
    if (sample.frames.empty()) path.push_back(frames.index("[no frames]", FrameKind::kEnd, {}));
    growing[sample.source].add(path, sample, samples.sources()[sample.source].shape);
  }
  FlameGraph graph;
  for (size_t i = 0; i < growing.size(); ++i) {
    const SampleSource &source = samples.sources()[i];
    FlameTree &tree = graph.trees.emplace_back();
    tree.name = source.name;
    tree.function = source.is_probe ? "rows" : std::string(row(row(source.shape.function).builtin).name);
    tree.quantity = source.shape.is_histogram() ? Quantity() : normalised(source.quantity, source.normal);
    tree.adds_up = adds_up(source);
    growing[i].finish(source, width_of, frames, tree);
  }
  graph.frames = frames.take();
  return graph;
}

std::string frame_kind_word(FrameKind kind) {
  static constexpr std::string_view kNames[] = {
#define FRAME_KIND(name, text) #name,
#include "runtime/output/frame_kinds.def"
#undef FRAME_KIND
  };
  std::string word(kNames[static_cast<size_t>(kind)]);
  word.front() = static_cast<char>(word.front() - 'A' + 'a');
  return word;
}

std::string_view frame_kind_text(FrameKind kind) {
  static constexpr std::string_view kTexts[] = {
#define FRAME_KIND(name, text) text,
#include "runtime/output/frame_kinds.def"
#undef FRAME_KIND
  };
  return kTexts[static_cast<size_t>(kind)];
}

}  // namespace dtrace::runtime
