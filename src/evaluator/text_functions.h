// SPDX-License-Identifier: Apache-2.0
// The subroutines on strings, as functions of strings. They share no code with those of programs in the kernel, so that
// each can be held against the other. Source: the D language reference, 4.5.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dtrace::evaluator {

std::string base_name(std::string_view path);
std::string directory_name(std::string_view path);
/// Without empty components, "." and "..", as far as they can be resolved.
std::string clean_path(std::string_view path);
/// ASCII letters change, nothing else.
std::string upper_case(std::string_view text);
std::string lower_case(std::string_view text);

/// From the first, or last, `character` on; 0 is found at the end. Nothing: it is not there.
std::optional<std::string> from_first(std::string_view text, char character);
std::optional<std::string> from_last(std::string_view text, char character);
std::optional<std::string> from_text(std::string_view text, std::string_view wanted);
/// -1: not found.
int64_t first_index(std::string_view text, std::string_view wanted, std::optional<int64_t> start);
int64_t last_index(std::string_view text, std::string_view wanted, std::optional<int64_t> start);
std::string part_of(std::string_view text, int64_t index, std::optional<int64_t> count);

/// `base` is 2 to 36. Decimal numbers have a sign, the others none; those of base 8 and 16 have C's prefix.
std::string number_text(int64_t number, unsigned base);
/// The number that a text begins with, after blanks; 0: none. Wraps beyond 64 bits.
int64_t text_number(std::string_view text, unsigned base);

/// One element of a JSON text, by a path such as "a.b[2].c". Nothing: it is not there, or the text is malformed before
/// its end.
std::optional<std::string> json_element(std::string_view text, std::string_view path);

std::string ipv4_text(std::span<const unsigned char, 4> address);
/// `plain`: an IPv4 address in it is written as one, without a prefix.
std::string ipv6_text(std::span<const unsigned char, 16> address, bool plain);
/// Octets with colons between them.
std::string link_text(std::span<const unsigned char> address);

/// What strtok() goes on with.
class Tokens {
 public:
  void begin(std::string text) {
    text_ = std::move(text);
    next_ = 0;
  }
  std::optional<std::string> next(std::string_view delimiters);

 private:
  std::optional<std::string> text_;
  size_t next_ = 0;
};

}  // namespace dtrace::evaluator
