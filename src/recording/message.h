// SPDX-License-Identifier: Apache-2.0
// Reads protocol buffers that anybody may have written. protozero throws where a message is damaged, and asserts that a
// field has the type that is read: a field is therefore matched by number and type, so that any other is unknown.
#pragma once

#include <cstdint>
#include <limits>
#include <protozero/pbf_message.hpp>
#include <string_view>

#include "recording/varint.h"

namespace dtrace::recording {

/// Thrown within a reader, and caught there with protozero's own.
struct Damaged : protozero::exception {
  explicit Damaged(const char *why) : why(why) {}
  const char *what() const noexcept override { return why; }
  const char *why;
};

template <typename Field>
using Message = protozero::pbf_message<Field>;

// What cases of a switch over tag_and_type() are.
template <typename Field>
constexpr uint32_t bytes_of(Field field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::length_delimited);
}
template <typename Field>
constexpr uint32_t number_of(Field field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::varint);
}
template <typename Field>
constexpr uint32_t fixed64_of(Field field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::fixed64);
}

template <typename Field>
std::string_view take_bytes(Message<Field> &message) {
  const protozero::data_view view = message.get_view();
  return {view.data(), view.size()};
}

template <typename T, typename Field>
T take_number(Message<Field> &message) {
  const uint64_t number = message.get_uint64();
  if (number > std::numeric_limits<T>::max()) throw Damaged("a number is too large");
  return static_cast<T>(number);
}

inline Cursor cursor_of(std::string_view bytes) { return {bytes.data(), bytes.data() + bytes.size()}; }

/// The next number of a packed field.
template <typename T>
T take_packed(Cursor &cursor) {
  uint64_t number = 0;
  if (!cursor.varint(number)) throw Damaged("a number is not complete");
  if (number > std::numeric_limits<T>::max()) throw Damaged("a number is too large");
  return static_cast<T>(number);
}

}  // namespace dtrace::recording
