// SPDX-License-Identifier: Apache-2.0
// The evaluator's functions on strings: what the language reference says, and then the same answers as the functions
// that programs in the kernel have, on texts that a generator makes.
#include "evaluator/text_functions.h"

#include <catch2/catch.hpp>
#include <random>

#include "test/unit/bpf/slot.h"

using namespace dtrace::evaluator;
using dtrace::test::Slot;

namespace {

constexpr int kRounds = 3000;

/// Texts of few different characters, so that they often have what is searched for.
class Texts {
 public:
  explicit Texts(std::string_view characters) : characters_(characters) {}
  std::string next(size_t most) {
    std::string text(random_() % (most + 1), '\0');
    for (char &c : text) c = characters_[random_() % characters_.size()];
    return text;
  }
  int64_t number(int64_t most) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(2 * most + 1)) - most; }

 private:
  std::string_view characters_;
  std::mt19937 random_{7};
};

}  // namespace

TEST_CASE("paths") {
  CHECK(base_name("/usr/bin/") == "bin");
  CHECK(base_name("//") == "/");
  CHECK(base_name("") == ".");
  CHECK(directory_name("/usr/bin/") == "/usr");
  CHECK(directory_name("bin") == ".");
  CHECK(directory_name("/bin") == "/");
  CHECK(clean_path("/usr//./lib/../bin") == "/usr/bin");
  CHECK(clean_path("../../a") == "../../a");
  CHECK(clean_path("/../a") == "/a");
}

TEST_CASE("paths are those of the kernel's programs") {
  Texts texts("/.ab");
  for (int i = 0; i < kRounds; i++) {
    const std::string path = texts.next(14);
    Slot slot;
    slot.put(Slot::kA, path);
    INFO(path);
    dt_basename(slot.get(), Slot::kOut, Slot::kA, Slot::kSpace);
    CHECK(base_name(path) == slot.text(Slot::kOut));
    dt_dirname(slot.get(), Slot::kOut, Slot::kA, Slot::kSpace);
    CHECK(directory_name(path) == slot.text(Slot::kOut));
    dt_cleanpath(slot.get(), Slot::kOut, Slot::kA, Slot::kSpace);
    CHECK(clean_path(path) == slot.text(Slot::kOut));
  }
}

TEST_CASE("characters and parts") {
  CHECK(upper_case("aZ-\xe4") == "AZ-\xe4");
  CHECK(lower_case("aZ@[") == "az@[");
  CHECK(from_first("abcb", 'b') == "bcb");
  CHECK(from_last("abcb", 'b') == "b");
  CHECK(from_first("abc", 'x') == std::nullopt);
  CHECK(from_last("abc", '\0') == "");
  CHECK(from_text("abcabd", "abd") == "abd");
  CHECK(first_index("abcabc", "c", 3) == 5);
  CHECK(first_index("abc", "", 7) == 3);
  CHECK(last_index("abcabc", "abc", 2) == 0);
  CHECK(last_index("abc", "a", -1) == -1);
  CHECK(part_of("abcdef", 2, 3) == "cde");
  CHECK(part_of("abcdef", -2, std::nullopt) == "ef");
  CHECK(part_of("abcdef", 1, -2) == "bcd");
  CHECK(part_of("abcdef", 9, 1) == "");
  CHECK(part_of("abcdef", 1, INT64_MIN) == "");
  CHECK(part_of("abcdef", INT64_MIN, INT64_MAX) == "abcde");
  CHECK(part_of("abcdef", INT64_MIN, std::nullopt) == "");
}

TEST_CASE("searches and parts are those of the kernel's programs") {
  Texts texts("ab");
  for (int i = 0; i < kRounds; i++) {
    const std::string text = texts.next(10), wanted = texts.next(3);
    const int64_t start = texts.number(12), count = texts.number(12);
    Slot slot;
    slot.put(Slot::kA, text);
    slot.put(Slot::kB, wanted);
    INFO(text << " " << wanted << " " << start << " " << count);
    const auto length = static_cast<int64_t>(text.size()), sublength = static_cast<int64_t>(wanted.size());
    for (const bool forward : {true, false}) {
      const int64_t begin = dt_str_begin(length, sublength, start, 1, forward);
      const int64_t index = begin >= 0
                                ? dt_str_search(slot.get(), Slot::kA, Slot::kB, static_cast<uint32_t>(begin), forward)
                            : begin == -1 ? -1
                                          : -2 - begin;
      CHECK((forward ? first_index(text, wanted, start) : last_index(text, wanted, start)) == index);
    }
    for (const bool has_count : {true, false}) {
      const auto from = static_cast<size_t>(dt_part_begin(length, start, count, has_count));
      const auto taken = static_cast<size_t>(dt_part_length(length, start, count, has_count));
      CHECK(part_of(text, start, has_count ? std::optional(count) : std::nullopt) == text.substr(from, taken));
    }
  }
}

TEST_CASE("numbers and texts") {
  CHECK(number_text(-12, 10) == "-12");
  CHECK(number_text(INT64_MIN, 10) == "-9223372036854775808");
  CHECK(number_text(-1, 16) == "0xffffffffffffffff");
  CHECK(number_text(8, 8) == "010");
  CHECK(number_text(0, 8) == "0");
  CHECK(number_text(35, 36) == "z");
  CHECK(text_number(" \t-12x", 10) == -12);
  CHECK(text_number("0x1F", 16) == 31);
  CHECK(text_number("0x1F", 10) == 0);
  CHECK(text_number("+z", 36) == 35);
}

TEST_CASE("numbers are those of the kernel's programs") {
  Texts texts("0123x-+ afAF");
  for (int i = 0; i < kRounds; i++) {
    const std::string text = texts.next(8);
    for (const unsigned base : {2U, 8U, 10U, 16U, 36U}) {
      Slot slot;
      slot.put(Slot::kA, text);
      INFO(text << " in base " << base);
      const int64_t number = dt_text_number(slot.get(), Slot::kA, Slot::kSpace, base);
      CHECK(text_number(text, base) == number);
      const uint64_t at = dt_number_text(slot.get(), number, base, Slot::kOut);
      CHECK(number_text(number, base) == slot.text(at));
    }
  }
}

TEST_CASE("elements of JSON") {
  const std::string_view text = R"({"a": [1, {"b.c": "x\"y"}, [ ]], "d": {"e": null}, "f": -1.5e3})";
  CHECK(json_element(text, "a[0]") == "1");
  CHECK(json_element(text, "a[1].b.c") == R"(x\"y)");
  CHECK(json_element(text, "a[2]") == "[ ]");
  CHECK(json_element(text, "d.e") == "null");
  CHECK(json_element(text, "f") == "-1.5e3");
  CHECK(json_element(text, "a[3]") == std::nullopt);
  CHECK(json_element(text, "g") == std::nullopt);
  CHECK(json_element("", "a") == std::nullopt);
}

TEST_CASE("elements of JSON are those of the kernel's programs") {
  Texts texts("{}[]\":,ab1 \\"), paths("ab[]1.");
  for (int i = 0; i < 20 * kRounds; i++) {
    // Half of them begin as objects do, so that some are well-formed for a while.
    const std::string text = (i % 2 != 0 ? R"({"a":)" : "") + texts.next(12);
    const std::string path = (i % 2 != 0 ? "a" : "") + paths.next(4);
    Slot slot;
    slot.put(Slot::kA, text);
    slot.put(Slot::kB, path);
    INFO(text << "   " << path);
    const int64_t length = dt_json(slot.get(), Slot::kA, Slot::kSpace, Slot::kB);
    const std::optional<std::string> seen =
        length < 0 ? std::nullopt : std::optional(slot.text(slot.loop().i, static_cast<size_t>(length)));
    CHECK(json_element(text, path) == seen);
  }
}

TEST_CASE("addresses") {
  const unsigned char four[] = {10, 0, 255, 1};
  CHECK(ipv4_text(four) == "10.0.255.1");
  const unsigned char mapped[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, 1};
  CHECK(ipv6_text(mapped, true) == "10.0.0.1");
  CHECK(ipv6_text(mapped, false) == "::ffff:10.0.0.1");
  const unsigned char link[] = {0, 0x1b, 0x21, 0xff, 2, 3};
  CHECK(link_text(link) == "00:1b:21:ff:02:03");
}

TEST_CASE("addresses are those of the kernel's programs") {
  std::mt19937 random(7);
  for (int i = 0; i < kRounds; i++) {
    unsigned char address[16] = {};
    // Zeros at both ends and between make runs of them.
    for (unsigned char &octet : address)
      if (random() % 3 == 0) octet = static_cast<unsigned char>(random());
    if (i % 5 == 0) std::fill_n(address, 12, 0);
    if (i % 10 == 0) address[10] = address[11] = 255;
    for (const bool plain : {false, true}) {
      Slot slot;
      std::memcpy(slot.loop().set, address, sizeof address);
      dt_inet6_text(slot.get(), Slot::kOut, plain);
      CHECK(ipv6_text(address, plain) == slot.text(Slot::kOut));
    }
  }
}

TEST_CASE("tokens") {
  Tokens tokens;
  CHECK(tokens.next(",") == std::nullopt);
  tokens.begin(",a,,b c");
  CHECK(tokens.next(",") == "a");
  CHECK(tokens.next(",") == "b c");
  CHECK(tokens.next(",") == std::nullopt);
}

TEST_CASE("tokens are those of the kernel's programs") {
  Texts texts("ab,;"), delimiters(",;");
  for (int i = 0; i < kRounds; i++) {
    const std::string text = texts.next(10);
    Slot slot;
    slot.put(Slot::kA, text);
    slot.get()->token = 1;
    Tokens tokens;
    tokens.begin(text);
    for (int call = 0; call < 4; call++) {
      const std::string set = delimiters.next(2);
      slot.put(Slot::kB, set);
      INFO(text << "   " << set);
      const bool found = dt_str_token(slot.get(), Slot::kA, Slot::kB, Slot::kOut, Slot::kSpace) != 0;
      CHECK(tokens.next(set) == (found ? std::optional(slot.text(Slot::kOut)) : std::nullopt));
    }
  }
}
