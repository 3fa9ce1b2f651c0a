// SPDX-License-Identifier: Apache-2.0
// Globs.
#include "frontend/text/glob.h"

#include <catch2/catch.hpp>
#include <string>

using namespace dtrace;

TEST_CASE("glob: stars and question marks") {
  CHECK(glob_match("*", ""));
  CHECK(glob_match("*", "abc"));
  CHECK(glob_match("a*c", "abbc"));
  CHECK(glob_match("a*c", "ac"));
  CHECK_FALSE(glob_match("a*c", "ab"));
  CHECK(glob_match("*read*", "pread64"));
  CHECK(glob_match("**a**", "bab"));
  CHECK(glob_match("?", "a"));
  CHECK_FALSE(glob_match("?", ""));
  CHECK_FALSE(glob_match("?", "ab"));
  CHECK(glob_match("a?c*e?g", "abcddefg"));
  CHECK_FALSE(glob_match("abc", "abcd"));
  CHECK_FALSE(glob_match("abcd", "abc"));
  CHECK_FALSE(glob_match("A", "a"));
  CHECK(glob_match("", ""));
  CHECK_FALSE(glob_match("", "a"));
}

TEST_CASE("glob: character classes") {
  CHECK(glob_match("[abc]x", "bx"));
  CHECK_FALSE(glob_match("[abc]x", "dx"));
  CHECK(glob_match("[a-cx-z]", "y"));
  CHECK_FALSE(glob_match("[a-cx-z]", "m"));
  CHECK(glob_match("[!a-c]", "d"));
  CHECK_FALSE(glob_match("[!a-c]", "b"));
  CHECK_FALSE(glob_match("[!a]", ""));
  CHECK(glob_match("[]a]", "]"));
  CHECK(glob_match("[!]]", "a"));
  CHECK(glob_match("[a-]", "-"));
  CHECK(glob_match("[\\]]", "]"));
  CHECK(glob_match("*[0-9]", "cpu12"));
}

TEST_CASE("glob: an open bracket alone is itself") {
  CHECK(glob_match("[", "["));
  CHECK(glob_match("a[b", "a[b"));
  CHECK_FALSE(glob_match("a[b", "ab"));
}

TEST_CASE("glob: a backslash takes the next character as it is") {
  CHECK(glob_match("\\*", "*"));
  CHECK_FALSE(glob_match("\\*", "a"));
  CHECK(glob_match("a\\?b", "a?b"));
  CHECK(glob_match("a\\", "a\\"));
}

TEST_CASE("glob: many stars cost little") {
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "a*";
  CHECK_FALSE(glob_match(pattern + "b", std::string(2000, 'a')));
  CHECK(glob_match(pattern, std::string(2000, 'a')));
}

TEST_CASE("glob: fields: empty matches anything, plain text itself") {
  CHECK(field_match("", "anything"));
  CHECK(field_match("*", ""));
  CHECK(field_match("read", "read"));
  CHECK_FALSE(field_match("read", "pread"));
  CHECK(field_match("*read", "pread"));
  CHECK(is_glob("a[b]"));
  CHECK(is_glob("a\\b"));
  CHECK_FALSE(is_glob("a-b!c"));
}
