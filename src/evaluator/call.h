// SPDX-License-Identifier: Apache-2.0
// Subroutine calls: a function for each row of builtins.def.
#pragma once

#include <optional>

#include "evaluator/evaluator.h"

namespace dtrace::evaluator {

class Call {
 public:
  Call(Evaluator &evaluator, const tree::Call &call, const tree::Expr &expr) : e(evaluator), call_(call), expr_(expr) {}

  uint64_t number();
  MaybeText text();

  // --- for the functions (call.cpp)
  Evaluator &e;
  bool has(size_t n) const { return n < call_.args.size(); }
  uint64_t number(size_t n) const { return e.number(*call_.args[n]); }
  int64_t integer(size_t n) const { return static_cast<int64_t>(number(n)); }
  std::optional<int64_t> given(size_t n) const { return has(n) ? std::optional(integer(n)) : std::nullopt; }
  MaybeText maybe_text(size_t n) const { return e.text(*call_.args[n]); }
  std::string text(size_t n) const { return e.certain_text(*call_.args[n]); }
  Space space(size_t n) const { return e.space_of(call_.args[n]->type); }
  /// The bytes that argument `n` points to.
  std::vector<std::byte> read(size_t n, uint64_t size_bytes) const { return e.read(space(n), number(n), size_bytes); }
  Evaluator::Parts &parts() const { return e.parts_; }
  Tokens &tokens() const { return e.tokens_; }
  const tree::Expr &expr() const { return expr_; }

 private:
  const tree::Call &call_;
  const tree::Expr &expr_;
};

}  // namespace dtrace::evaluator
