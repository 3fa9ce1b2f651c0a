// SPDX-License-Identifier: Apache-2.0
// A flame graph as a picture that needs no other file and no scripts: one above the other for each aggregation or probe
// with stacks, outermost frames at the bottom. Tooltips are elements <title>.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/printable.h"
#include "runtime/output/picture_sink.h"
#include "runtime/print/units.h"

namespace dtrace::runtime {
namespace {

// Pixels.
constexpr double kWidth = 1200, kMargin = 10, kRow = 18, kCharacter = 7.3;
constexpr double kLeast = 0.5;  // narrower frames are not drawn, but counted

constexpr std::string_view kStyle = R"SVG(<style>
text { fill: #1d2129; white-space: pre; }
rect.ground { fill: #fff; }
.dim { fill: #667085; }
.warn { fill: #9a3412; }
.key rect { fill: hsl(262 32% 82%); }
.user rect { fill: hsl(26 88% 72%); }
.inlined rect { fill: hsl(48 86% 70%); }
.managed rect { fill: hsl(135 46% 70%); }
.kernel rect { fill: hsl(206 76% 74%); }
.end rect { fill: url(#stripes); }
g:hover > rect { stroke: #1d2129; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e8ec; }
  rect.ground { fill: #16181d; }
  .dim { fill: #98a1b0; }
  .warn { fill: #fdba74; }
  .key rect { fill: hsl(262 32% 36%); }
  .user rect { fill: hsl(26 88% 36%); }
  .inlined rect { fill: hsl(48 86% 32%); }
  .managed rect { fill: hsl(135 46% 30%); }
  .kernel rect { fill: hsl(206 76% 34%); }
  g:hover > rect { stroke: #e6e8ec; }
}
</style>
<defs><pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<path d="M0 0H6V6H0Z" fill="#e88fa0"/><path d="M1.5 0V6" stroke="#fff" stroke-width="2"/></pattern></defs>
)SVG";

/// XML knows no control characters, however they are spelt, and not U+FFFE and U+FFFF.
std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
    if (out.ends_with("\xef\xbf\xbe") || out.ends_with("\xef\xbf\xbf")) out.replace(out.size() - 3, 3, "\xef\xbf\xbd");
  }
  return out;
}

size_t characters(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string_view first_characters(std::string_view text, size_t count) {
  size_t at = 0;
  while (at < text.size() && ((text[at] & 0xc0) == 0x80 || count-- != 0)) ++at;
  return text.substr(0, at);
}

/// As much of a name as `room` characters hold: without its module, then without its end.
std::string fitted(std::string_view name, size_t room) {
  if (characters(name) <= room) return std::string(name);
  const std::string_view function = name.substr(name.find('`') + 1);
  if (characters(function) <= room) return std::string(function);
  return room < 3 ? "" : std::string(first_characters(function, room - 1)) + "…";
}

/// Neighbours of a kind differ a little.
double opacity_of(std::string_view name) {
  const size_t hash = std::hash<std::string_view>{}(name);
  return 1 - 0.08 * static_cast<double>(hash % 4);
}

class Drawing {
 public:
  void line(std::string_view text, std::string_view style) {
    y_ += kRow;
    const auto room = static_cast<size_t>((kWidth - 2 * kMargin) / kCharacter);
    const bool fits = characters(text) <= room;
    const std::string shown = fits ? std::string(text) : std::string(first_characters(text, room - 1)) + "…";
    append("<text x=\"{}\" y=\"{}\" class=\"{}\">{}{}</text>\n", kMargin, y_, style,
           fits ? "" : fmt::format("<title>{}</title>", xml_text(text)), xml_text(shown));
  }

  void legend(const FlameGraph &graph) {
    y_ += kRow;
    double x = kMargin;
    for (const FrameKind kind : kFrameKinds) {
      if (std::ranges::find(graph.frames, kind, &FlameFrame::kind) == graph.frames.end()) continue;
      const std::string_view text = frame_kind_text(kind);
      append(
          "<g class=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" rx=\"2\"/><text x=\"{}\" "
          "y=\"{}\">{}</text></g>\n",
          frame_kind_word(kind), x, y_ - 10.5, x + 18, y_, text);
      x += 18 + kCharacter * static_cast<double>(characters(text)) + 20;
    }
  }

  void tree(const FlameGraph &graph, const FlameTree &tree) {
    std::string unit = tree.function + "()";
    if (tree.function == "rows") unit = "rows";
    y_ += kRow / 2;
    const bool is_sampled = tree.quantity.kind == Quantity::Kind::kSamples;
    line(fmt::format("{}: {} {}", tree.name, amount(tree.total, tree.quantity), is_sampled ? "samples" : "by " + unit),
         "");
    if (!tree.adds_up)
      line(fmt::format("Values of {} do not add up: only the value of a single stack has a meaning.", unit), "dim");
    if (tree.total <= 0) return line("No values.", "dim");
    const double scale = (kWidth - 2 * kMargin) / tree.total;
    uint32_t rows = 0;
    for (const FlameNode &node : tree.nodes)
      if (node.total * scale >= kLeast) rows = std::max(rows, node.depth + 1);
    const double floor = y_ + kRow / 2 + kRow * rows;
    std::vector<double> starts;  // by depth: where the next child begins
    size_t hidden = 0;
    for (const FlameNode &node : tree.nodes) {
      starts.resize(node.depth + 2, node.depth == 0 ? 0 : starts[node.depth]);
      const double start = starts[node.depth];
      starts[node.depth] += node.total;
      starts[node.depth + 1] = start;
      if (node.total * scale < kLeast)
        ++hidden;
      else
        frame(graph.frames[node.frame], node, tree, kMargin + start * scale, node.total * scale,
              floor - kRow * (node.depth + 1));
    }
    y_ = floor;
    if (hidden != 0) line(fmt::format("{} frames are narrower than half a pixel and not drawn.", hidden), "dim");
  }

  void space() { y_ += kRow / 2; }

  std::string finish() const {
    const double height = y_ + kMargin;
    return fmt::format(
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
               "height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"ui-monospace, monospace\" font-size=\"12\">\n",
               kWidth, height) +
           std::string(kStyle) + "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n" + text_ + "</svg>\n";
  }

 private:
  template <typename... Arguments>
  void append(fmt::format_string<Arguments...> format, Arguments &&...arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  static std::string amount(double value, Quantity quantity) {
    return has_unit(quantity) ? quantity_text(static_cast<int64_t>(value), quantity) : fmt::format("{}", value);
  }

  void frame(const FlameFrame &frame, const FlameNode &node, const FlameTree &tree, double x, double width, double y) {
    const std::string note = frame.note.empty() ? "" : ": " + frame.note;
    append("<g class=\"{}\"><title>{}\n{}{}\n{} ({:.2f}%)</title>", frame_kind_word(frame.kind), xml_text(frame.name),
           frame_kind_text(frame.kind), xml_text(note), amount(node.total, tree.quantity),
           100 * node.total / tree.total);
    append("<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill-opacity=\"{:.2f}\"/>", x, y,
           width > 2 ? width - 0.6 : width, kRow - 1, opacity_of(frame.name));
    if (const std::string shown = fitted(frame.name, static_cast<size_t>(std::max(0.0, width - 6) / kCharacter));
        !shown.empty())
      append("<text x=\"{:.2f}\" y=\"{}\">{}</text>", x + 3, y + kRow - 5, xml_text(shown));
    text_ += "</g>\n";
  }

  std::string text_;
  double y_ = kMargin / 2;  // of the last line
};

class SvgSink final : public PictureSink {
 public:
  explicit SvgSink(const SinkParts &parts) : PictureSink(parts, "svg") {}

 private:
  std::string picture(const FlameGraph &graph, const RunFacts &facts) override {
    Drawing drawing;
    if (!facts.title.empty()) drawing.line(facts.title, "");
    drawing.line(facts.command.empty() ? "dtrace" : facts.command, facts.title.empty() ? "" : "dim");
    if (!facts.began.empty())
      drawing.line(fmt::format("{}, {:.3f} s, {}, {}", facts.began, static_cast<double>(facts.lasted_ns) / 1e9,
                               facts.host, facts.kernel),
                   "dim");
    for (const std::string &sentence : facts.incomplete) drawing.line(sentence, "warn");
    if (graph.trees.empty()) {
      drawing.space();
      drawing.line(kNoStacks, "dim");
      return drawing.finish();
    }
    drawing.legend(graph);
    for (const FlameTree &tree : graph.trees) drawing.tree(graph, tree);
    return drawing.finish();
  }
};

}  // namespace

std::unique_ptr<Sink> make_svg_sink(const SinkParts &parts) { return std::make_unique<SvgSink>(parts); }

}  // namespace dtrace::runtime
