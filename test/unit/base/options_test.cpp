// SPDX-License-Identifier: Apache-2.0
// Options: classes of values, who may set what, defaults.
#include "base/options.h"

#include <catch2/catch.hpp>
#include <set>

using namespace dtrace;

namespace {
OptionError set(Options &o, std::string_view name, std::optional<std::string_view> value = {}) {
  return o.set(name, value, OptionSource::kCommandLine);
}
}  // namespace

TEST_CASE("options: defaults", "[options]") {
  Options o;
  CHECK(o.number(Opt::strsize) == 256);
  CHECK(o.number(Opt::bufsize) == 4 << 20);
  CHECK(o.number(Opt::switchrate) == 0);
  CHECK(o.number(Opt::cleanrate) == 1'000'000'000 / 101);
  CHECK(o.number(Opt::aggrate) == 0);
  CHECK(o.number(Opt::ustackframes) == 100);
  CHECK(o.string(Opt::bufpolicy) == "switch");
  CHECK(o.string(Opt::cpppath) == "cpp");
  CHECK(o.string(Opt::amin).empty());
  CHECK_FALSE(o.flag(Opt::quiet));
  CHECK_FALSE(o.is_set(Opt::strsize));
}

TEST_CASE("options: names are unique", "[options]") {
  std::set<std::string_view> names;
  for (size_t i = 0; i < static_cast<size_t>(Opt::kCount); ++i) CHECK(names.insert(option_name(Opt(i))).second);
  CHECK(option_name(Opt::stackindent) == "stackindent");
}

TEST_CASE("options: unknown name", "[options]") {
  Options o;
  CHECK(set(o, "nosuch") == OptionError::kUnknownName);
  CHECK(set(o, "QUIET") == OptionError::kUnknownName);
  CHECK(text(OptionError::kUnknownName) == "Invalid option name");
  CHECK(text(OptionError::kBadValue) == "Invalid value for specified option");
  CHECK(text(OptionError::kNotInProgram) == "Option cannot be used from within a D program");
  CHECK(text(OptionError::kTracingActive) == "Operation illegal when tracing is active");
}

TEST_CASE("options: flags take no value", "[options]") {
  Options o;
  CHECK(set(o, "zdefs", "1") == OptionError::kBadValue);
  CHECK_FALSE(o.flag(Opt::zdefs));
  CHECK(set(o, "zdefs") == OptionError::kNone);
  CHECK(o.flag(Opt::zdefs));
  CHECK(o.is_set(Opt::zdefs));
}

TEST_CASE("options: bool words", "[options]") {
  for (const char *yes : {"yes", "enable", "enabled", "true", "on", "set", "YES", "0", "1", "0x10", "010"}) {
    Options o;
    CAPTURE(yes);
    CHECK(set(o, "quiet", yes) == OptionError::kNone);
    CHECK(o.flag(Opt::quiet));
  }
  for (const char *no : {"no", "disable", "disabled", "false", "off", "unset", "Off", ""}) {
    Options o;
    CAPTURE(no);
    REQUIRE(set(o, "quiet") == OptionError::kNone);
    CHECK(set(o, "quiet", no) == OptionError::kNone);
    CHECK_FALSE(o.flag(Opt::quiet));
    CHECK_FALSE(o.is_set(Opt::quiet));
  }
  Options o;
  CHECK(set(o, "quiet", "-1") == OptionError::kBadValue);
  CHECK(set(o, "quiet", "maybe") == OptionError::kBadValue);
}

TEST_CASE("options: scalars", "[options]") {
  Options o;
  CHECK(set(o, "stackframes", "7") == OptionError::kNone);
  CHECK(o.number(Opt::stackframes) == 7);
  CHECK(set(o, "stackframes", "0x20") == OptionError::kNone);
  CHECK(o.number(Opt::stackframes) == 32);
  CHECK(set(o, "stackframes", "unset") == OptionError::kNone);
  CHECK(o.number(Opt::stackframes) == 20);
  CHECK_FALSE(o.is_set(Opt::stackframes));
  CHECK(set(o, "stackframes", "-1") == OptionError::kBadValue);
  CHECK(set(o, "stackframes", "7x") == OptionError::kBadValue);
}

TEST_CASE("options: sizes", "[options]") {
  CHECK(parse_size("4096") == 4096);
  CHECK(parse_size("4k") == 4096);
  CHECK(parse_size("4K") == 4096);
  CHECK(parse_size("4m") == 4 << 20);
  CHECK(parse_size("2g") == int64_t{2} << 30);
  CHECK(parse_size("1t") == int64_t{1} << 40);
  CHECK(parse_size("1p") == int64_t{1} << 50);
  CHECK(parse_size("1e") == int64_t{1} << 60);
  CHECK(parse_size("0") == 0);
  CHECK_FALSE(parse_size(""));
  CHECK_FALSE(parse_size("k"));
  CHECK_FALSE(parse_size("4kb"));
  CHECK_FALSE(parse_size("4x"));
  CHECK_FALSE(parse_size("-4"));
  CHECK_FALSE(parse_size("8e"));
  CHECK_FALSE(parse_size("99999999999999999999"));
  Options o;
  CHECK(set(o, "strsize", "1k") == OptionError::kNone);
  CHECK(o.number(Opt::strsize) == 1024);
  CHECK(set(o, "strsize") == OptionError::kBadValue);
  CHECK(set(o, "bufsize", "0") == OptionError::kBadValue);
  CHECK(set(o, "bufsize", "1") == OptionError::kNone);
  CHECK(set(o, "strsize", "0") == OptionError::kBadValue);
  CHECK(set(o, "strsize", "9m") == OptionError::kStringTooLong);
  CHECK(set(o, "strsize", "1") == OptionError::kNone);
  CHECK(set(o, "strsize", "8m") == OptionError::kNone);
  CHECK(set(o, "lockmem", "unlimited") == OptionError::kNone);
  CHECK(set(o, "lockmem", "64m") == OptionError::kNone);
  CHECK(set(o, "lockmem", "much") == OptionError::kBadValue);
}

TEST_CASE("options: times", "[options]") {
  CHECK(parse_time("10") == 10);
  CHECK(parse_time("10ns") == 10);
  CHECK(parse_time("10nsec") == 10);
  CHECK(parse_time("10us") == 10'000);
  CHECK(parse_time("10usec") == 10'000);
  CHECK(parse_time("10ms") == 10'000'000);
  CHECK(parse_time("10msec") == 10'000'000);
  CHECK(parse_time("1s") == 1'000'000'000);
  CHECK(parse_time("1sec") == 1'000'000'000);
  CHECK(parse_time("1m") == 60'000'000'000);
  CHECK(parse_time("1min") == 60'000'000'000);
  CHECK(parse_time("1h") == 3600'000'000'000);
  CHECK(parse_time("1hour") == 3600'000'000'000);
  CHECK(parse_time("1d") == 86400'000'000'000);
  CHECK(parse_time("1day") == 86400'000'000'000);
  CHECK(parse_time("10hz") == 100'000'000);
  CHECK(parse_time("10HZ") == 100'000'000);
  CHECK(parse_time("0hz") == 0);
  CHECK(parse_time("0") == 0);
  CHECK_FALSE(parse_time("hz"));
  CHECK_FALSE(parse_time("10 hz"));
  CHECK_FALSE(parse_time("10parsec"));
  CHECK_FALSE(parse_time("999999999d"));
}

TEST_CASE("options: enums, strings and lists", "[options]") {
  Options o;
  CHECK(set(o, "bufpolicy", "ring") == OptionError::kNone);
  CHECK(o.string(Opt::bufpolicy) == "ring");
  CHECK(set(o, "bufpolicy", "Ring") == OptionError::kBadValue);
  CHECK(set(o, "bufpolicy", "") == OptionError::kBadValue);
  CHECK(set(o, "bufpolicy") == OptionError::kBadValue);
  CHECK(set(o, "cpppath", "/bin/x") == OptionError::kNone);
  CHECK(o.string(Opt::cpppath) == "/bin/x");
  CHECK(set(o, "libdir", "a") == OptionError::kNone);
  CHECK(set(o, "libdir", "b") == OptionError::kNone);
  CHECK(o.list(Opt::libdir) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("options: a value that may be left out", "[options]") {
  Options options;
  CHECK_FALSE(options.is_set(Opt::debuginfod));
  CHECK(options.set("debuginfod", std::nullopt, OptionSource::kCommandLine) == OptionError::kNone);
  CHECK(options.is_set(Opt::debuginfod));
  CHECK(options.string(Opt::debuginfod).empty());
  CHECK(options.set("debuginfod", "http://host:8002", OptionSource::kCommandLine) == OptionError::kNone);
  CHECK(options.string(Opt::debuginfod) == "http://host:8002");
  CHECK(options.set("debuginfod", std::nullopt, OptionSource::kProgram) == OptionError::kNotInProgram);
  CHECK(option_value_text("debuginfod") == "a value or none");
}

TEST_CASE("options: who may set what", "[options]") {
  Options o;
  CHECK(o.set("cpppath", "x", OptionSource::kProgram) == OptionError::kNotInProgram);
  CHECK(o.set("quiet", {}, OptionSource::kProgram) == OptionError::kNone);
  CHECK(o.set("strsize", "10", OptionSource::kSetopt) == OptionError::kNone);
  o.freeze();
  CHECK(o.set("strsize", "20", OptionSource::kSetopt) == OptionError::kTracingActive);
  CHECK(o.number(Opt::strsize) == 10);
  CHECK(o.set("zdefs", {}, OptionSource::kSetopt) == OptionError::kTracingActive);
  CHECK(o.set("quiet", "off", OptionSource::kSetopt) == OptionError::kNone);
  CHECK_FALSE(o.flag(Opt::quiet));
  CHECK(o.set("nosuch", {}, OptionSource::kSetopt) == OptionError::kUnknownName);
}

TEST_CASE("options: environment", "[options]") {
  Options o;
  const char *good[] = {"PATH=/bin", "DTRACE_OPT_STRSIZE=64", "DTRACE_OPT_QUIET=", "DTRACE_OPT_ZDEFS=", nullptr};
  CHECK_FALSE(o.set_from_environment(good));
  CHECK(o.number(Opt::strsize) == 64);
  CHECK(o.flag(Opt::quiet));
  CHECK(o.flag(Opt::zdefs));
  const char *bad[] = {"DTRACE_OPT_NOSUCH=1", nullptr};
  CHECK(o.set_from_environment(bad) == std::pair<std::string, OptionError>("nosuch", OptionError::kUnknownName));
}

TEST_CASE("options: strings that are checked", "[options]") {
  struct Case {
    const char *name, *value;
    OptionError error;
  };
  constexpr Case kCases[] = {
      {"version", "1.0", OptionError::kNone},
      {"version", "1.6.2", OptionError::kNone},
      {"version", "1.13", OptionError::kNone},
      {"version", "2.0", OptionError::kNone},
      {"version", "1.14", OptionError::kUnknownVersion},
      {"version", "3.0", OptionError::kUnknownVersion},
      {"version", "1", OptionError::kBadValue},
      {"version", "1.", OptionError::kBadValue},
      {"version", "1.2.3.4", OptionError::kBadValue},
      {"version", "1.99999999999999999999", OptionError::kBadValue},
      {"version", "", OptionError::kBadValue},
      {"setenv", "A=1", OptionError::kNone},
      {"setenv", "A=", OptionError::kNone},
      {"setenv", "A", OptionError::kBadValue},
      {"setenv", "=1", OptionError::kBadValue},
      {"unsetenv", "A", OptionError::kNone},
      {"unsetenv", "A=1", OptionError::kBadValue},
      {"unsetenv", "", OptionError::kBadValue},
  };
  for (const Case &c : kCases) {
    Options o;
    CAPTURE(c.name, c.value);
    CHECK(o.set(c.name, std::string_view(c.value), OptionSource::kCommandLine) == c.error);
    CHECK(o.list(Opt::setenv).size() + o.list(Opt::unsetenv).size() <= 1);
  }
}

TEST_CASE("what an option takes can be said", "[options]") {
  CHECK(option_value_text("bufpolicy") == "switch, fill or ring");
  CHECK(option_value_text("encoding") == "ascii or utf8");
  CHECK(option_value_text("unsetenv") == "the name of a variable");
  CHECK(option_value_text("nosuch").empty());
  for (size_t i = 0; i < static_cast<size_t>(Opt::kCount); ++i)
    CHECK_FALSE(option_value_text(option_name(static_cast<Opt>(i))).empty());
}
