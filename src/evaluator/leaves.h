// SPDX-License-Identifier: Apache-2.0
// The interface to a firing: the value of expressions that read the probe's arguments, the thread or the kernel, and no
// D variable. The evaluator computes with the answers of whatever implements this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluator/fault.h"
#include "frontend/tree/tree.h"
#include "frontend/types/types.h"

namespace dtrace::evaluator {

/// A string; nothing: NULL.
using MaybeText = std::optional<std::string>;

/// Thrown by Leaves: the firing does not tell it. Unlike a Fault it ends the evaluation.
struct NotTold {
  const tree::Expr *leaf = nullptr;
};

class Leaves {
 public:
  virtual ~Leaves() = default;
  /// Has it the value of the whole expression, as one leaf? Asked of those that may be leaves (tree/leaves.h) before
  /// what is below them is evaluated; built-in variables and arguments are leaves in any case.
  virtual bool tells(const tree::Expr &expr) {
    (void)expr;
    return false;
  }
  // A function for each kind of type. They may throw Fault and NotTold.
  virtual uint64_t number(const tree::Expr &leaf) = 0;
  virtual MaybeText text(const tree::Expr &leaf) = 0;
  virtual std::vector<std::byte> bytes(const tree::Expr &leaf) = 0;

  /// Memory that is none of the program's, at an address that it computed. The default: a fault.
  virtual void read(Space space, uint64_t address, std::span<std::byte> to);
  /// The same of the text at an address, up to its NUL and at most `most` bytes.
  virtual std::string read_text(Space space, uint64_t address, uint64_t most);
};

inline void Leaves::read(Space, uint64_t address, std::span<std::byte>) { throw Fault{DT_FAULT_BADADDR, address}; }
inline std::string Leaves::read_text(Space, uint64_t address, uint64_t) { throw Fault{DT_FAULT_BADADDR, address}; }

}  // namespace dtrace::evaluator
