// SPDX-License-Identifier: Apache-2.0
// When text has colours, which of it has them, and heat maps as text.
#include <catch2/catch.hpp>

#include "output_support.h"
#include "runtime/output/colour.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

std::vector<uint64_t> buckets(std::initializer_list<uint64_t> counts) {
  std::vector<uint64_t> words(kQuantizeBuckets);
  size_t at = 63;
  for (const uint64_t count : counts) words[at++] = count;
  return words;
}

/// What format text makes of a count and of a histogram.
std::string text_with(const char *colour, bool agghist = false) {
  ShownRun run("text");
  if (agghist) REQUIRE(run.options.set("agghist", std::nullopt, OptionSource::kCommandLine) == OptionError::kNone);
  if (colour != nullptr) REQUIRE(run.options.set("color", colour, OptionSource::kCommandLine) == OptionError::kNone);
  const uint32_t count = run.aggregation("n", Builtin::k_count, {"execname"});
  const uint32_t quantize = run.aggregation("q", Builtin::k_quantize, {"execname"});
  run.show(count, {{{text("c@t")}, {3}}}, false);
  run.show(quantize, {{{text("")}, buckets({0, 4})}}, false);
  run.sink().flush();
  CHECK(!run.output.written().empty());
  return run.finish();
}

std::string without_colours(std::string text) {
  for (size_t at = 0; (at = text.find('\033')) != std::string::npos;) text.erase(at, text.find('m', at) + 1 - at);
  return text;
}

std::string heat(const char *colour, bool is_large = false) {
  ShownRun run("heattext");
  CHECK(run.options.set("color", colour, OptionSource::kCommandLine) == OptionError::kNone);
  const uint32_t quantize = run.aggregation("q", Builtin::k_quantize, {"execname"});
  run.show(quantize, {{{text("cat")}, buckets({0, 1, 0, 1})}}, false);
  run.show(quantize, {{{text("cat")}, buckets({0, 1, 0, 2})}, {{text("dog")}, buckets({0, 0, 0, 7})}}, false);
  if (is_large)
    for (uint64_t i = 0; i < 300; ++i) run.show(quantize, {{{text("cat")}, buckets({0, 1, 0, 3 + i})}}, false);
  return run.finish();
}

}  // namespace

TEST_CASE("colours are for terminals, unless somebody has decided", "[colour]") {
  CHECK(shows_colour("auto", true, nullptr, "xterm"));
  CHECK(shows_colour("auto", true, "", "xterm"));
  CHECK_FALSE(shows_colour("auto", true, "1", "xterm"));
  CHECK_FALSE(shows_colour("auto", true, nullptr, "dumb"));
  CHECK_FALSE(shows_colour("auto", true, nullptr, nullptr));
  CHECK_FALSE(shows_colour("auto", false, nullptr, "xterm"));
  CHECK_FALSE(shows_colour("never", true, nullptr, "xterm"));
  CHECK(shows_colour("always", false, "1", "dumb"));
}

TEST_CASE("keys and bars have colours, and the text is the same", "[colour]") {
  const std::string usual = text_with(nullptr), coloured = text_with("always");
  CHECK(usual == text_with("never"));
  CHECK(usual.find('\033') == std::string::npos);
  CHECK(without_colours(coloured) == usual);
  CHECK(coloured.find("\033[36mc@t\033[39m") != std::string::npos);
  CHECK(coloured.find("|\033[32m" + std::string(40, '@') + "\033[39m") != std::string::npos);
}

TEST_CASE("the bars of agghist have colours", "[colour]") {
  const std::string usual = text_with("never", true), coloured = text_with("always", true);
  CHECK(without_colours(coloured) == usual);
  CHECK(coloured.find("  \033[36mc@t\033[39m |\033[32m" + std::string(40, '@') + "\033[39m 3") != std::string::npos);
}

TEST_CASE("a heat map as text", "[colour]") {
  CHECK(heat("never") ==
        "@q = quantize(), by execname: 2 snapshots\n"
        "               4 |....@@@@|\n"
        "               2 |        |\n"
        "               1 |....    |\n"
        ". 1  = 2  + 3  * 4  # 5  % 6  @ 8  values or more\n");
}

TEST_CASE("a heat map in colours has the same counts", "[colour]") {
  const std::string seen = heat("always");
  CHECK(seen.find("               4 |\033[48;5;17m    \033[48;5;229m    \033[0m|\n") != std::string::npos);
  CHECK(seen.find("               1 |\033[48;5;17m    \033[0m    |\n") != std::string::npos);
}

TEST_CASE("snapshots that do not fit are joined", "[colour]") {
  const std::string seen = heat("never", true);
  CHECK(seen.find("302 snapshots") != std::string::npos);
  CHECK(seen.find("each column: 6 snapshots\n") != std::string::npos);
  for (size_t at = 0; at < seen.size();) {
    const size_t end = seen.find('\n', at);
    CHECK(end - at <= 80);
    at = end + 1;
  }
}
