// SPDX-License-Identifier: Apache-2.0
// Digests in place of texts: which texts, how paths are divided, and what the key does.
#include "recorder/redaction.h"

#include <catch2/catch.hpp>
#include <set>

using namespace dtrace;
using namespace dtrace::recorder;

namespace {

constexpr Redaction::Key kKey = {1, 2, 3};
constexpr RedactedKinds kPathsOnly{true, false, false}, kArgsOnly{false, true, false}, kStringsOnly{false, false, true};

std::string redacted(RedactedKinds kinds, std::string_view text, LeafContent content = LeafContent::kAny,
                     size_t max_bytes = 255) {
  return std::string(Redaction(kinds, kKey).text(text, content, max_bytes));
}

bool is_digest(std::string_view text) {
  return text.size() == Redaction::kDigestBytes && text.front() == '#' &&
         text.substr(1).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

TEST_CASE("redaction: the words of the option", "[redaction]") {
  RedactedKinds kinds;
  CHECK(add_redacted_kinds("args", kinds));
  CHECK_FALSE(kinds.paths);
  CHECK(kinds.args);
  CHECK(add_redacted_kinds("strings,paths", kinds));
  CHECK((kinds.paths && kinds.strings));
  for (const char *wrong : {"", "path", "paths,", ",paths", "paths, args", "PATHS"}) {
    CAPTURE(wrong);
    CHECK_FALSE(add_redacted_kinds(wrong, kinds));
  }
  CHECK(Redaction(redacted_kinds({"strings", "paths"}), kKey).names_of_kinds() == "paths,strings");
}

TEST_CASE("redaction: equal texts are equal, others are not, and the key decides", "[redaction]") {
  const std::string cat = redacted(kStringsOnly, "cat");
  CHECK(is_digest(cat));
  CHECK(redacted(kStringsOnly, "cat") == cat);
  CHECK(redacted(kStringsOnly, "dog") != cat);
  CHECK(std::string(Redaction(kStringsOnly, {9}).text("cat", LeafContent::kAny, 255)) != cat);
  CHECK(redacted(kStringsOnly, "") == "");
}

TEST_CASE("redaction: paths by component", "[redaction]") {
  const std::string path = redacted(kPathsOnly, "/srv/secret/a.txt");
  const size_t second = path.find('/', 1), third = path.find('/', second + 1);
  REQUIRE(third != std::string::npos);
  CHECK(is_digest(path.substr(1, second - 1)));
  CHECK(is_digest(path.substr(third + 1)));
  const std::string beside = redacted(kPathsOnly, "/srv/secret/b.txt");
  CHECK(beside.substr(0, third) == path.substr(0, third));
  CHECK(beside != path);
  CHECK(redacted(kPathsOnly, "/") == "/");
  CHECK(redacted(kPathsOnly, "../../x").starts_with("../../#"));
  CHECK(redacted(kPathsOnly, "./x/").starts_with("./#"));
  CHECK(redacted(kPathsOnly, "./x/").ends_with("/"));
  // The leaf decides about a text that is no path by its looks.
  CHECK(redacted(kPathsOnly, "plain") == "plain");
  CHECK(redacted(kPathsOnly, ".hidden") == ".hidden");
  CHECK(is_digest(redacted(kPathsOnly, "plain", LeafContent::kPath)));
}

TEST_CASE("redaction: a path of many components keeps its room", "[redaction]") {
  std::set<std::string> shown;
  for (int last = 0; last < 10; last++) {
    std::string path;
    for (int i = 0; i < 100; i++) path += "/d";
    path += "/" + std::to_string(last);
    for (const size_t max_bytes : {255u, 27u, 15u, 13u}) {
      const std::string text = redacted(kPathsOnly, path, LeafContent::kAny, max_bytes);
      CHECK(text.size() <= max_bytes);
      shown.insert(text);
    }
  }
  CHECK(shown.size() == 10 * 4 - 10);  // 15 and 13 bytes have room for the one digest of all
  CHECK(redacted(kPathsOnly, "/a/b", LeafContent::kAny, 5).size() == 5);
  CHECK(redacted(kStringsOnly, "text", LeafContent::kAny, 5).size() == 5);
}

TEST_CASE("redaction: paths within command lines", "[redaction]") {
  const auto line = [](std::string_view text, size_t max_bytes = 255) {
    return redacted(kPathsOnly, text, LeafContent::kCommandLine, max_bytes);
  };
  CHECK(line("cat -n") == "cat -n");
  CHECK(line("cat /") == "cat /");
  const std::string path = redacted(kPathsOnly, "/etc/passwd");
  CHECK(line("cat -n /etc/passwd x") == "cat -n " + path + " x");
  CHECK(line("/etc/passwd") == path);
  CHECK(line("cat --file=a/b").starts_with("cat #"));
  CHECK(line("cat /etc/passwd /etc/shadow", 30) != line("cat /etc/passwd /etc/group", 30));
  CHECK(line("cat /etc/passwd /etc/shadow", 30).size() <= 30);
  // Under strings it is one text.
  CHECK(is_digest(redacted({true, false, true}, "cat /etc/passwd", LeafContent::kCommandLine)));
}

TEST_CASE("redaction: each kind changes its texts only", "[redaction]") {
  CHECK(redacted(kArgsOnly, "/bin/cat x") == "/bin/cat x");
  CHECK(is_digest(redacted(kArgsOnly, "/bin/cat x", LeafContent::kCommandLine)));
  CHECK(is_digest(redacted(kStringsOnly, "/bin/cat")));
  const RedactedKinds all{true, true, true};
  CHECK(is_digest(redacted(all, "/bin/cat x", LeafContent::kCommandLine)));
  CHECK(redacted(all, "/bin/cat").starts_with("/#"));
  CHECK(is_digest(redacted(all, "cat")));
}

TEST_CASE("redaction: what leaves read", "[redaction]") {
  CHECK(content_of("builtin cwd : string\n", "cwd") == LeafContent::kPath);
  CHECK(content_of("call d_path : string\n", "d_path(p)") == LeafContent::kPath);
  CHECK(content_of("convert to-string : string\n", "args[2]->fi_name") == LeafContent::kPath);
  CHECK(content_of("x", "curpsinfo->pr_psargs") == LeafContent::kCommandLine);
  CHECK(content_of("x", "execargs") == LeafContent::kCommandLine);
  CHECK(content_of("builtin execname : string(16)\n", "execname") == LeafContent::kAny);
  CHECK(content_of("builtin arg0 : int64_t\n", "rooted(arg0)") == LeafContent::kAny);
}

TEST_CASE("redaction: names of user addresses", "[redaction]") {
  Redaction paths(kPathsOnly, kKey);
  CHECK(paths.file("[vdso]") == "[vdso]");
  CHECK(paths.file("/usr/lib/libx.so").find("lib") == std::string::npos);
  const std::string module = paths.module("libstdc++.so.6");
  CHECK(is_digest(module));
  CHECK(paths.symbol("libstdc++.so.6`operator+(a, b)+0x1f") == module + "`operator+(a, b)+0x1f");
  CHECK(paths.symbol("libstdc++.so.6+0x1f") == module + "+0x1f");
  CHECK(paths.symbol("libstdc++.so.6:0x1f") == module + ":0x1f");
  CHECK(paths.symbol("0x7f0012345678") == "0x7f0012345678");
  CHECK(paths.symbol("[vdso]`f") == "[vdso]`f");
  CHECK(paths.source("").empty());
  CHECK(paths.source("/home/x/a.c:12").starts_with("/#"));
  CHECK(paths.source("/home/x/a.c:12").ends_with(":12"));
  CHECK(is_digest(paths.source("a:b.c")));
  Redaction strings(kStringsOnly, kKey);
  CHECK(strings.symbol("cat`main+0x1") == "cat`main+0x1");
  CHECK(strings.file("/bin/cat") == "/bin/cat");
  CHECK(strings.module("cat") == "cat");
}

TEST_CASE("redaction: values that may hide texts", "[redaction]") {
  TypeTable types;
  const TypeId chars = types.array_of(types.char_type(), 16);
  CHECK_FALSE(may_hide_texts(types, types.char_type()));
  CHECK_FALSE(may_hide_texts(types, chars));
  CHECK_FALSE(may_hide_texts(types, types.long_type()));
  CHECK(may_hide_texts(types, types.array_of(chars, 2)));  // the digest of one text would not do
  CHECK_FALSE(may_hide_texts(types, types.array_of(types.long_type(), 2)));
}
