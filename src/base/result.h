// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or the story of a failure. No exceptions cross our own interfaces.
//
// An Error is one line for the user: each layer prepends what it was doing, the cause stays last.
#pragma once

#include <cassert>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace dtrace {

/// Stands for "no value" in Result<Unit>.
struct Unit {};

/// A failure of the system (kernel, permission, file): what was being done, cause last.
class Error {
 public:
  explicit Error(std::string text, int errno_value = 0) : text_(std::move(text)), errno_(errno_value) {}

  /// "what: strerror(errno_value)".
  static Error from_errno(std::string_view what, int errno_value) {
    return Error(std::string(what) + ": " + std::strerror(errno_value), errno_value);
  }

  /// Prepends what the caller was doing: "context: text".
  [[nodiscard]] Error during(std::string_view context) && {
    text_.insert(0, std::string(context) + ": ");
    return std::move(*this);
  }

  /// Names the diagnostic that a fault of the D program's deserves: "D_PROC_FUNC". The text of `tag` is static.
  [[nodiscard]] Error tagged(std::string_view tag) && {
    tag_ = tag;
    return std::move(*this);
  }

  const std::string &text() const { return text_; }
  std::string_view tag() const { return tag_; }  ///< empty: none
  /// The errno behind the failure, 0 if there was none.
  int errno_value() const { return errno_; }

 private:
  std::string text_;
  std::string_view tag_;
  int errno_;
};

/// A T or an Error. Test with `if (!r)`; read with `*r`, `r->`, `r.error()`.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return state_.index() == 0; }
  T &operator*() & { return std::get<0>(state_); }
  const T &operator*() const & { return std::get<0>(state_); }
  T &&operator*() && { return std::get<0>(std::move(state_)); }
  T *operator->() { return &std::get<0>(state_); }
  const T *operator->() const { return &std::get<0>(state_); }
  Error &error() & { return std::get<1>(state_); }
  const Error &error() const & { return std::get<1>(state_); }
  Error &&error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

inline Result<Unit> ok() { return Unit{}; }

}  // namespace dtrace
