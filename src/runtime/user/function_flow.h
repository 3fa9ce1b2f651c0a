// SPDX-License-Identifier: Apache-2.0
// The ways through a function's code: where control comes to a part of it first, and which instructions lead into
// a loop.
//
// What a reader would get wrong: nobody says where a jump through a table leads to. An instruction that no other leads
// to is taken for one that is reached so (a `case`, a handler of exceptions).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arch/machine_code.h"
#include "base/result.h"

namespace dtrace::runtime {

using arch::Instruction;

class FunctionFlow {
 public:
  /// `code`: the instructions of the function at `address`, in order; they outlive this.
  FunctionFlow(std::span<const Instruction> code, uint64_t address);

  /// Does an address belong to the part that is asked about?
  using IsInside = std::function<bool(uint64_t address)>;
  /// The addresses at which control comes into the part, from instructions that are not reached through it.
  std::vector<uint64_t> first_of(const IsInside &is_inside) const;
  /// If a loop that lies in the part begins at `address`: the instructions that lead into the loop from outside, each
  /// of which does nothing else. Else the address itself.
  /// Errors: an instruction leads into it that may go elsewhere as well.
  Result<std::vector<uint64_t>> before_loop(uint64_t address, const IsInside &is_inside) const;

  /// The addresses that no other one leads to inside the part. If several lead to each other, the first of them stays.
  /// Empty if there are too many.
  std::vector<uint64_t> apart(std::span<const uint64_t> addresses, const IsInside &is_inside) const;
  /// The address, and the addresses behind it that are reached as often: no other way leads there, and no call or jump
  /// comes before.
  std::vector<uint64_t> straight_from(uint64_t address) const;
  /// Does a jump from the part lead to `address`?
  bool is_jumped_to(uint64_t address, const IsInside &is_inside) const;
  /// Does any instruction of the part jump?
  bool has_jumps(const IsInside &is_inside) const;
  /// Does any instruction of the part jump to an address from a table or register?
  bool has_computed_jumps(const IsInside &is_inside) const;
  /// Is the instruction at `address` padding?
  bool is_padding(uint64_t address) const;

  /// The instructions that lead to that at `address`, and to nothing else. Empty: one leads elsewhere as well.
  std::vector<uint64_t> only_sources(uint64_t address) const;

 private:
  std::optional<size_t> index_of(uint64_t address) const;
  /// Calls `reach` with what control goes to from the instructions in `open`, which `reach` may add to.
  void follow(std::vector<size_t> &open, const std::function<void(size_t)> &reach) const;
  /// The first and the last instruction of a loop that lies in the part: of one that begins at `first` (`begins`), or
  /// of the widest around [first, last]. Nothing: there is none.
  std::optional<std::pair<size_t, size_t>> loop_around(size_t first, size_t last, bool begins, const IsInside &) const;

  std::span<const Instruction> code_;
  uint64_t address_;
  std::vector<std::vector<uint32_t>> sources_;  // by instruction: those that lead to it
};

}  // namespace dtrace::runtime
