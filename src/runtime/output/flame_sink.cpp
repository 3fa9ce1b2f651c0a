// SPDX-License-Identifier: Apache-2.0
// A flame graph as one page that needs no other file: flame_page.inc with the trees as JSON in it.
// doc/output-formats.md describes the page.
//
//   {"dtrace_flame":1, "run":{...}, "kinds":[[word,text],...], "frames":[[name,kind,note],...],
//    "compared":{"name":"before.json", "run":{...}},
//    "views":[{"name":"@", "function":"count", "adds_up":true, "frames":[...], "depths":[...], "values":[...]},...]}
//
// "compared" is there if two runs were compared: the data of the other's page.
// A view has a node at each index of its three arrays, in the order of FlameTree; its value is its own.
#include "runtime/output/page.h"
#include "runtime/output/picture_sink.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kPage =
#include "runtime/output/flame_page.inc"
    ;

class FlameSink final : public PictureSink {
 public:
  explicit FlameSink(const SinkParts &parts) : PictureSink(parts, "flame") {}

 private:
  std::string picture(const FlameGraph &graph, const RunFacts &facts) override {
    std::string text;
    JsonWriter json(text);
    json.begin_object().member("dtrace_flame", 1);
    append_run_facts(json, facts);
    if (!parts_.compared.empty()) {
      json.key("compared").begin_object().member("name", std::string_view(parts_.compared_name)).key("run");
      json.json(parts_.compared).end_object();
    }
    json.key("kinds").begin_array();
    for (const FrameKind kind : kFrameKinds)
      json.begin_array().value(std::string_view(frame_kind_word(kind))).value(frame_kind_text(kind)).end_array();
    json.end_array().key("frames").begin_array();
    for (const FlameFrame &frame : graph.frames) {
      json.begin_array().value(std::string_view(frame.name)).value(static_cast<unsigned>(frame.kind));
      if (!frame.note.empty()) json.value(std::string_view(frame.note));
      json.end_array();
    }
    json.end_array().key("views").begin_array();
    for (const FlameTree &tree : graph.trees) append_view(json, tree);
    json.end_array().member("empty", kNoStacks).end_object();
    return page_of(kPage, text);
  }

  static void append_view(JsonWriter &json, const FlameTree &tree) {
    json.begin_object().member("name", std::string_view(tree.name)).member("function", std::string_view(tree.function));
    append_quantity(json, tree.quantity);
    json.member("adds_up", tree.adds_up);
    const auto column = [&](std::string_view name, auto FlameNode::*field) {
      json.key(name).begin_array();
      for (const FlameNode &node : tree.nodes) json.value(node.*field);
      json.end_array();
    };
    column("frames", &FlameNode::frame);
    column("depths", &FlameNode::depth);
    column("values", &FlameNode::self);
    json.end_object();
  }
};

}  // namespace

std::unique_ptr<Sink> make_flame_sink(const SinkParts &parts) { return std::make_unique<FlameSink>(parts); }

}  // namespace dtrace::runtime
