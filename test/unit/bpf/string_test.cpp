// SPDX-License-Identifier: Apache-2.0
// Strings of the BPF library against the C and C++ libraries' own. Source: the D language reference, 4.5.
#include <algorithm>
#include <random>

#include "test/unit/bpf/slot.h"

using namespace dtrace::test;

namespace {

/// Strings over few letters, so that parts of one are often found in another.
std::string some_text(std::mt19937 &random, size_t most, std::string_view letters) {
  std::string text(random() % (most + 1), ' ');
  for (char &c : text) c = letters[random() % letters.size()];
  return text;
}

int sign(long x) { return (x > 0) - (x < 0); }

std::string token(Slot &slot) {
  return dt_str_token(slot.get(), Slot::kA, Slot::kB, Slot::kOut, Slot::kSpace) ? slot.text(Slot::kOut) : "<none>";
}

}  // namespace

TEST_CASE("string: comparison is by unsigned bytes") {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    Slot slot;
    const std::string a = some_text(random, 4, "ab\xff\x80"), b = some_text(random, 4, "ab\xff\x80");
    CAPTURE(a, b);
    CHECK(sign(dt_str_compare(slot.get(), slot.put(Slot::kA, a), slot.put(Slot::kB, b), Slot::kSpace)) ==
          sign(a.compare(b)));
  }
}

TEST_CASE("string: index of a character") {
  Slot slot;
  slot.put(Slot::kA, "abcabc");
  CHECK(dt_str_char(slot.get(), Slot::kA, Slot::kSpace, 'b', 1) == 1);
  CHECK(dt_str_char(slot.get(), Slot::kA, Slot::kSpace, 'b', 0) == 4);
  CHECK(dt_str_char(slot.get(), Slot::kA, Slot::kSpace, 'x', 1) == -1);
  CHECK(dt_str_char(slot.get(), Slot::kA, Slot::kSpace, 0, 1) == 6);
  CHECK(dt_str_char(slot.get(), Slot::kA, Slot::kSpace, 'a' + 256, 1) == 0);
}

TEST_CASE("string: search agrees with std::string") {
  std::mt19937 random(2);
  for (int i = 0; i < 5000; ++i) {
    Slot slot;
    const std::string text = some_text(random, 12, "ab"), part = some_text(random, 3, "ab");
    const auto start = static_cast<__u32>(random() % (text.size() + 1));
    slot.put(Slot::kA, text);
    slot.put(Slot::kB, part);
    CAPTURE(text, part, start);
    const auto number = [](size_t at) { return at == std::string::npos ? -1 : static_cast<long>(at); };
    CHECK(dt_str_search(slot.get(), Slot::kA, Slot::kB, start, 1) == number(text.find(part, start)));
    CHECK(dt_str_search(slot.get(), Slot::kA, Slot::kB, start, 0) == number(text.rfind(part, start)));
  }
}

TEST_CASE("string: where index() and rindex() begin") {
  // Forward: a negative start is 0; beyond the end there is nothing but the empty string, at the end.
  CHECK(dt_str_begin(5, 1, 0, 0, 1) == 0);
  CHECK(dt_str_begin(5, 1, -3, 1, 1) == 0);
  CHECK(dt_str_begin(5, 1, 3, 1, 1) == 3);
  CHECK(dt_str_begin(5, 1, 5, 1, 1) == -1);
  CHECK(dt_str_begin(5, 0, 9, 1, 1) == -2 - 5);
  CHECK(dt_str_begin(0, 0, 0, 0, 1) == -2 - 0);
  // Backward: from the end; a negative start finds nothing but the empty string, at 0.
  CHECK(dt_str_begin(5, 1, 0, 0, 0) == 5);
  CHECK(dt_str_begin(5, 1, 9, 1, 0) == 5);
  CHECK(dt_str_begin(5, 1, -1, 1, 0) == -1);
  CHECK(dt_str_begin(5, 0, -1, 1, 0) == -2 - 0);
}

TEST_CASE("string: case changes letters of ASCII alone") {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  std::string upper = all, lower = all;
  for (char &c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  for (char &c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  Slot slot;
  slot.put(Slot::kA, all);
  dt_str_case(slot.get(), Slot::kOut, Slot::kA, Slot::kSpace, 1);
  CHECK(slot.text(Slot::kOut) == upper);
  dt_str_case(slot.get(), Slot::kOut, Slot::kA, Slot::kSpace, 0);
  CHECK(slot.text(Slot::kOut) == lower);
}

TEST_CASE("string: bytes become a string") {
  Slot slot;
  slot.put(Slot::kOut, std::string_view("cat\0-n\0\0x", 9));
  dt_str_fill(slot.get(), Slot::kOut, 9, ' ');
  CHECK(slot.text(Slot::kOut) == "cat -n  x");
  dt_str_fill(slot.get(), Slot::kOut, 2, '.');
  CHECK(slot.text(Slot::kOut) == "ca");
  dt_str_fill(slot.get(), Slot::kOut, 0, '.');
  CHECK(slot.text(Slot::kOut).empty());
  slot.put(Slot::kOut, "");
  dt_str_fill(slot.get(), Slot::kOut, Slot::kSpace - 1, 'x');
  CHECK(slot.text(Slot::kOut).size() == Slot::kSpace - 1);
}

TEST_CASE("string: tokens as strtok() gives them") {
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    Slot slot;
    const std::string text = some_text(random, 14, "ab/ "), delimiters = some_text(random, 2, "/ ");
    CAPTURE(text, delimiters);
    slot.put(Slot::kA, text);
    slot.put(Slot::kB, delimiters);
    slot.get()->token = 1;
    std::string copy = text;
    char *state = nullptr;
    for (char *want = strtok_r(copy.data(), delimiters.c_str(), &state); want != nullptr;
         want = strtok_r(nullptr, delimiters.c_str(), &state)) {
      CHECK(token(slot) == want);
    }
    CHECK(token(slot) == "<none>");
    CHECK(token(slot) == "<none>");
  }
  Slot none;
  CHECK(token(none) == "<none>");
  // The delimiter that ended a token is there for the next call, which may have others.
  Slot slot;
  slot.put(Slot::kA, "abXcd");
  slot.put(Slot::kB, "X");
  slot.get()->token = 1;
  CHECK(token(slot) == "ab");
  slot.put(Slot::kB, "c");
  CHECK(token(slot) == "X");
  CHECK(token(slot) == "d");
}

TEST_CASE("string: a provider in any process becomes that of one") {
  const auto named = [](std::string_view provider, __u32 process) {
    Slot slot;
    const __u32 text = slot.put(Slot::kA, provider);
    dt_name_process(slot.get(), text, static_cast<__u32>(provider.size() + 1), process);
    return slot.text(Slot::kA);
  };
  for (const __u32 process : {0U, 1U, 9U, 10U, 99U, 100U, 4194303U, 4294967295U})
    CHECK(named("postgresql*", process) == "postgresql" + std::to_string(process));
  CHECK(named("*", 7) == "7");
  CHECK(named("syscall", 7) == "syscall");
  CHECK(named("", 7).empty());
}
