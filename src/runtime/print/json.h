// SPDX-License-Identifier: Apache-2.0
// A writer of JSON text, for the ledger of losses. Places commas and newline-free; the caller balances begin and end.
//
// Strings may hold any bytes: what is not UTF-8 becomes U+FFFD, so the result always parses.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dtrace::runtime {

/// Appends `text` in quotes, escaped.
void append_json_string(std::string &out, std::string_view text);

class JsonWriter {
 public:
  explicit JsonWriter(std::string &out) : out_(out) {}

  JsonWriter &begin_object() { return open('{'); }
  JsonWriter &end_object() { return close('}'); }
  JsonWriter &begin_array() { return open('['); }
  JsonWriter &end_array() { return close(']'); }

  /// Name of the next value, inside an object.
  JsonWriter &key(std::string_view name);

  JsonWriter &value(std::string_view text);
  JsonWriter &value(const char *text) { return value(std::string_view(text)); }
  JsonWriter &value(bool truth) { return literal(truth ? "true" : "false"); }
  JsonWriter &value(double number);  ///< null if not finite
  template <std::integral Int>
  JsonWriter &value(Int number) {
    return literal(std::to_string(number));
  }
  JsonWriter &json(std::string_view text) { return literal(text); }  ///< a value that is JSON already
  JsonWriter &null() { return literal("null"); }

  template <typename T>
  JsonWriter &member(std::string_view name, T &&content) {
    return key(name).value(std::forward<T>(content));
  }

 private:
  JsonWriter &open(char bracket);
  JsonWriter &close(char bracket);
  JsonWriter &literal(std::string_view text);
  void separate();

  std::string &out_;
  bool needs_comma_ = false;
};

}  // namespace dtrace::runtime
