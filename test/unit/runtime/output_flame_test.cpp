// SPDX-License-Identifier: Apache-2.0
// Formats flame and svg, over recorded items.
#include <catch2/catch.hpp>

#include "output_support.h"
#include "test/unit/text_matchers.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

/// The data of a page.
std::string data_of(const std::string &page) {
  const size_t begin = page.find("{\"dtrace_flame\"");
  return page.substr(begin, page.find("</script>", begin) - begin);
}

/// The member of a page's data that begins so, up to its closing bracket.
std::string member(const std::string &page, const std::string &name) {
  const size_t begin = page.find("\"" + name + "\":[", page.find("\"dtrace_flame\""));
  if (begin == std::string::npos) return "";
  size_t end = begin + name.size() + 3;
  for (int depth = 0; end < page.size(); ++end) {
    depth += page[end] == '[' ? 1 : page[end] == ']' ? -1 : 0;
    if (depth == 0) break;
  }
  return page.substr(begin, end + 1 - begin);
}

/// How often `part` is in `text`.
size_t times(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace

TEST_CASE("a tree of keys, the user's frames and the kernel's, the greatest sibling first", "[flame]") {
  ShownRun run("flame");
  const uint32_t count = run.aggregation("_", Builtin::k_count, {"execname", "stack()", "ustack()"});
  run.show(count,
           {{{text("cat"), kernel({0x1010, 0x2010}), user({0x410})}, {3}},
            {{text("dog"), kernel({0x1010, 0x2010}), user({0x410})}, {9}},
            {{text("dog"), kernel({0x2010}), user({0x410})}, {1}}},
           true);
  const std::string &page = run.finish();
  CHECK(
      member(page, "frames") ==
      R"("frames":[["module`function",4],["module`caller",4],["a.out`main",1],["cat",0,"execname"],["dog",0,"execname"]])");
  CHECK_THAT(page, contains_text(R"("views":[{"name":"@","function":"count","adds_up":true,"frames":[4,2,1,0,3,2,1,0],)"
                                 R"("depths":[0,1,2,3,0,1,2,3],"values":[0,0,1,9,0,0,0,3]}])"));
  CHECK(run.reports.empty());
}

TEST_CASE("inlined and managed functions, sources, and ends have kinds", "[flame]") {
  ShownRun run("flame");
  const uint32_t count = run.aggregation("_", Builtin::k_count, {"ustack()"});
  run.show(count, {{{user({0x440}, 2)}, {1}}, {{user({})}, {2}}}, true);
  const std::string frames = member(run.finish(), "frames");
  CHECK_THAT(frames,
             contains_text(R"(["a.out`helper",2,"helper.h"])") && contains_text(R"(["a.out`main",1,"main.c"])"));
  CHECK_THAT(frames, contains_text("[\"[cut: " + std::string(stack_end_text(2)) + "]\",5]") &&
                         contains_text(R"(["[no frames]",5])"));
}

TEST_CASE("no text ends the data, and all of it is UTF-8", "[flame]") {
  ShownRun run("flame");
  const uint32_t count = run.aggregation("_", Builtin::k_count, {"key", "stack()"});
  run.show(count,
           {{{text("</script><!-- \"'&"), kernel({0x1010})}, {1}},
            {{text("\xff\x01"), kernel({0x1010})}, {1}},
            {{text(""), kernel({0x1010})}, {1}}},
           true);
  const std::string &page = run.finish();
  CHECK_THAT(member(page, "frames"), contains_text(R"(["\u003c/script>\u003c!-- \"'&",0,"key"])"));
  CHECK_THAT(member(page, "frames"),
             contains_text("[\"\xef\xbf\xbd\\\\001\",0,\"key\"]") && contains_text(R"(["\"\"",0,"key"])"));
  CHECK(times(page, "</script>") == 2);  // of the data, of the page's own
}

TEST_CASE("several aggregations are views; values are those of format folded", "[flame]") {
  ShownRun run("flame");
  const uint32_t avg = run.aggregation("a", Builtin::k_avg, {"stack()"});
  const uint32_t quantize = run.aggregation("q", Builtin::k_quantize, {"stack()"});
  const uint32_t sum = run.aggregation("s", Builtin::k_sum, {"stack()"});
  std::vector<uint64_t> buckets(kQuantizeBuckets);
  buckets[63] = 2;
  buckets[70] = 5;
  run.show(avg, {{{kernel({0x1010})}, {2, 31}}}, true);
  run.show(quantize, {{{kernel({0x1010})}, buckets}}, true);
  run.show(sum, {{{kernel({0x1010})}, {35}}, {{kernel({0x2010})}, {static_cast<uint64_t>(-40)}}}, true, 10);
  const std::string page = data_of(run.finish());
  CHECK_THAT(page,
             contains_text(R"("name":"@a","function":"avg","adds_up":false,"frames":[0],"depths":[0],"values":[15]})"));
  CHECK_THAT(page, contains_text(
                       R"("name":"@q","function":"quantize","adds_up":true,"frames":[0],"depths":[0],"values":[7]})"));
  CHECK_THAT(page,
             contains_text(R"("name":"@s","function":"sum","adds_up":true,"frames":[0],"depths":[0],"values":[3]})"));
  const std::string left_out = "format flame: left out: 1 value of @s: negative: a frame cannot have a negative width";
  CHECK(run.reports == std::vector<std::string>{left_out});
  CHECK(member(page, "incomplete") == "\"incomplete\":[\"" + left_out + "\"]");
}

TEST_CASE("losses and faults are stated", "[flame]") {
  ShownRun run("flame");
  const Loss losses[] = {{Cause::kRingFull, 1, 0, 3, {}, 0}, {Cause::kRingFull, 1, 1, 4, {}, 0}};
  run.sink().fault({"dt_clause_0", &run.probe, 1, 8, {}});
  run.sink().more_faults("dt_clause_0", 6);
  run.sink().ended(0, losses);
  CHECK(member(run.output.written(), "incomplete") ==
        R"J("incomplete":["7 record: ring buffer full (dt_clause_1)","7 firings ended by an error"])J");
}

TEST_CASE("a run without stacks is a page that says so", "[flame]") {
  ShownRun flame("flame");
  CHECK_THAT(data_of(flame.finish()),
             contains_text("\"views\":[]") && contains_text("\"empty\":\"No stacks were recorded."));
  ShownRun svg("svg");
  CHECK_THAT(svg.finish(), contains_text("No stacks were recorded.") && contains_text("</svg>"));
}

TEST_CASE("the picture has a rectangle and a tooltip for each frame that is wide enough", "[svg]") {
  ShownRun run("svg");
  const uint32_t count = run.aggregation("_", Builtin::k_count, {"key", "stack()", "ustack()"});
  run.show(count,
           {{{text("<&\">\x01\xef\xbf\xbf"), kernel({0x1010}), user({0x440})}, {9999}},
            {{text("thin"), kernel({0x1010}), user({0x440})}, {1}}},
           true);
  const std::string &picture = run.finish();
  CHECK_THAT(
      picture,
      contains_text("<g class=\"key\"><title>&lt;&amp;&quot;&gt;\\001\xef\xbf\xbd\nkey: key\n9999 (99.99%)</title>"));
  CHECK_THAT(picture,
             contains_text("<g class=\"inlined\"><title>a.out`helper\ninlined: helper.h\n9999 (99.99%)</title>"));
  CHECK_THAT(picture, contains_text("<g class=\"kernel\"><title>module`function\nkernel\n9999 (99.99%)</title>"));
  CHECK_THAT(picture, contains_text("4 frames are narrower than half a pixel and not drawn."));
  CHECK(times(picture, "<title>") == 4);
}

TEST_CASE("children lie on their parents", "[svg]") {
  ShownRun run("svg");
  const uint32_t count = run.aggregation("_", Builtin::k_count, {"key", "stack()"});
  run.show(count,
           {{{text("a"), kernel({0x1010})}, {50}},
            {{text("a"), kernel({0x2010})}, {10}},
            {{text("b"), kernel({0x1010})}, {40}}},
           true);
  const std::string &picture = run.finish();
  // 1180 pixels from 10 on: a has 60 of 100 of them, b the rest.
  CHECK_THAT(picture, contains_text("<title>a\nkey: key\n60 (60.00%)</title><rect x=\"10.00\"") &&
                          contains_text("width=\"707.40\""));
  CHECK_THAT(picture, contains_text("<title>module`function\nkernel\n50 (50.00%)</title><rect x=\"10.00\""));
  CHECK_THAT(picture, contains_text("<title>module`caller\nkernel\n10 (10.00%)</title><rect x=\"600.00\""));
  CHECK_THAT(picture, contains_text("<title>b\nkey: key\n40 (40.00%)</title><rect x=\"718.00\""));
  CHECK_THAT(picture, contains_text("<title>module`function\nkernel\n40 (40.00%)</title><rect x=\"718.00\""));
}

TEST_CASE("values have the unit of what is aggregated, and a picture the title that is wanted", "[svg]") {
  const auto shown = [](std::string_view format) {
    ShownRun run(format);
    run.options.set("title", "Waits & reads", OptionSource::kCommandLine);
    const uint32_t waits = run.aggregation("w", Builtin::k_sum, {"execname", "stack()"});
    const uint32_t samples = run.aggregation("_", Builtin::k_count, {"execname", "stack()"});
    run.plan.aggregations[waits].quantity = {Quantity::Kind::kTime, 1};
    run.plan.aggregations[samples].quantity = {Quantity::Kind::kSamples, 1};
    run.show(waits, {{{text("cat"), kernel({0x1010})}, {1'070'000}}}, true, 1000);
    run.show(samples, {{{text("cat"), kernel({0x1010})}, {307}}}, true);
    return std::string(run.finish());
  };
  CHECK_THAT(shown("svg"), contains_text(">Waits &amp; reads</text>") && contains_text("@w: 1.07 ms by sum()") &&
                               contains_text("\n1.07 ms (100.00%)") && contains_text("@: 307 samples") &&
                               contains_text("\n307 (100.00%)"));
  CHECK_THAT(shown("flame"), contains_text(R"("title":"Waits & reads")") &&
                                 contains_text(R"("function":"sum","quantity":"time","step":1000)") &&
                                 contains_text(R"("function":"count","quantity":"samples")"));
}
