// SPDX-License-Identifier: Apache-2.0
// Evaluates expressions of the typed tree in user space: numbers, strings, and the bytes of everything else. It is the
// second opinion on the code generator, with which it shares the tree and the plan, and no code.
//
// A number is what a register would hold: a result has 64 bits until it is stored, recorded, passed or cast
// (types_compat.h).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluator/fault.h"
#include "evaluator/leaves.h"
#include "evaluator/memory.h"
#include "evaluator/text_functions.h"
#include "evaluator/variables.h"
#include "frontend/tree/leaves.h"
#include "frontend/tree/tree.h"
#include "frontend/types/types.h"
#include "plan/plan.h"

namespace dtrace::evaluator {

class Evaluator {
 public:
  struct Parts {
    const tree::Unit &unit;
    TypeTable &types;
    Variables &variables;
    Memory &memory;
    Leaves &leaves;
    /// Something is lost, as the ledger counts it.
    std::function<void(Cause)> lose;
    /// speculation(): an id, or 0.
    std::function<uint64_t()> start_speculation;
  };
  explicit Evaluator(Parts parts) : parts_(std::move(parts)) {}

  /// What strtok() and alloca() gave the last clause is gone; tokens stay until the firing ends.
  void begin_firing() { tokens_ = {}; }
  void begin_clause() {
    parts_.memory.begin_clause();
    temporaries_.clear();
  }

  // All of them may throw Fault, and what Leaves throws.
  uint64_t number(const tree::Expr &expr);
  bool condition(const tree::Expr &expr);
  MaybeText text(const tree::Expr &expr);
  /// The same of a string that must be there.
  std::string certain_text(const tree::Expr &expr);
  /// The bytes of a value that is no string: a structure, an array, a stack, a number.
  std::vector<std::byte> bytes(const tree::Expr &expr);
  /// For its effect.
  void evaluate(const tree::Expr &expr);

  /// Bytes at an address that the program has.
  std::vector<std::byte> read(Space space, uint64_t address, uint64_t size_bytes);
  Space space_of(TypeId pointer) const;
  const TypeTable &types() const { return parts_.types; }
  /// A string as it is kept in `size_bytes`, its NUL included: cut, which is a loss if that is option strsize.
  std::string fitted(std::string text, uint64_t size_bytes);

 private:
  bool is_told(const tree::Expr &expr) { return tree::may_be_leaf(expr) && parts_.leaves.tells(expr); }

  friend struct NumberOf;
  friend class Call;

  /// Storage that an expression denotes.
  struct Place {
    const Storage *storage = nullptr;  ///< null, without an address: what was never assigned
    std::optional<uint64_t> address = {};
    Space space = Space::kKernel;
    uint64_t off_bits = 0;
    uint32_t bits = 0;  ///< of a bit-field
    bool is_element = false;
  };
  /// The same to be written to.
  struct Target {
    Storage *storage = nullptr;
    std::optional<uint64_t> address = {};
    uint64_t off_bits = 0;
    uint32_t bits = 0;
  };

  // --- storage (storage.cpp)
  /// Whether the bytes are wanted, which the leaves may tell, or their address, which is computed.
  enum class PlaceUse : uint8_t { kValue, kAddress };
  Place place(const tree::Expr &expr, PlaceUse use = PlaceUse::kValue);
  Place temporary(std::vector<std::byte> bytes);
  /// The value of a leaf, as a variable of its type would hold it.
  std::vector<std::byte> told_bytes(const tree::Expr &expr);
  Target target(const tree::Expr &expr);
  /// The element's position; `is_bounded`: behind the last one is a fault. Faults: BADINDEX.
  uint64_t index_in(const tree::Element &node, bool is_bounded);
  std::vector<std::byte> bytes_at(const Place &place, uint64_t off_bytes, uint64_t size_bytes);
  uint64_t load(const Place &place, TypeId type);
  MaybeText load_text(const Place &place, TypeId type);
  std::span<std::byte> bytes_of(const Target &target, uint64_t off_bytes, uint64_t size_bytes);
  void store(const Target &target, TypeId type, uint64_t value);
  uint64_t address_of(const tree::Expr &expr);
  std::string element_key(const tree::ElemRef &ref);

  // --- assignment (assign.cpp)
  uint64_t assign(const tree::Assign &node, TypeId type);
  MaybeText assign_text(const tree::Assign &node, TypeId type);
  void assign_bytes(const tree::Assign &node, TypeId type);
  uint64_t update(const tree::Expr &place, TypeId type, bool want_old, const std::function<uint64_t(uint64_t)> &change);
  uint64_t change_character(const tree::Element &node, bool want_old, const std::function<uint64_t(uint64_t)> &change);

  // --- strings (text.cpp)
  MaybeText converted_text(const tree::Convert &node, TypeId type);
  uint64_t text_address(const tree::Expr &expr);
  uint64_t character(const tree::Element &node);
  bool compare_texts(const tree::StringCompare &node);

  uint64_t normalised(uint64_t value, TypeId type) const;
  uint64_t wrapped(uint64_t value, TypeId type) const;
  uint64_t binary(BinaryOp op, uint64_t lhs, uint64_t rhs, TypeId type) const;

  Parts parts_;
  Tokens tokens_;
  std::deque<Storage> temporaries_;  // of this clause: values that lie nowhere else
};

/// Is it the firing that is read, and nothing else? Of the node alone, not of what is below it.
bool reads_firing(const tree::Expr &expr);

}  // namespace dtrace::evaluator
