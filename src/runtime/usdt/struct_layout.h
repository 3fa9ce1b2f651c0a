// SPDX-License-Identifier: Apache-2.0
// Where the members of a structure lie: what D makes of its definition, and what a program was built with, in one form,
// so that the two can be compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/types/types.h"

namespace dtrace::runtime {

/// A structure or union, or what else a member may be (then without members).
struct StructLayout {
  struct Member {
    std::string name;
    uint64_t off_bits = 0;  ///< from the start of what it is a member of
    uint64_t bits = 0;
    std::vector<Member> members;  ///< of a structure; those of unnamed structures belong to what these are in
  };
  uint64_t size_bytes = 0;
  std::vector<Member> members;
};

/// The layout of a structure that D knows. Nothing: it is none, or is not defined.
std::optional<StructLayout> layout_of(const TypeTable &types, TypeId type);

/// The same definition laid out for i386: pointers and `long` of 4 bytes, nothing aligned to more than 4.
std::optional<StructLayout> layout_of_i386(const TypeTable &types, TypeId type);

/// Do the members of `library` lie in `program` where the library has them? If not, the first that does not, in words:
/// "member a.b is 4 bytes at 16 in the program, 4 bytes at 12 in the library". What `program` has more is no
/// difference, and neither are members that only fill space (named pad, unused, reserved).
std::optional<std::string> first_difference(const StructLayout &library, const StructLayout &program);

}  // namespace dtrace::runtime
