// SPDX-License-Identifier: Apache-2.0
// Where a called function finds its arguments: what the note of a call stub says. Types are known by name only; one
// that is not known counts as a machine word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "usdt/provider.h"
#include "usdt/target.h"

namespace dtrace::usdt {

/// Size and kind of a type by its name alone.
struct TypeShape {
  unsigned size_bytes = 0;
  bool is_signed = false;
  bool is_float = false;
};
TypeShape type_shape(std::string_view type, unsigned address_bytes);

/// The argument string of .note.stapsdt, "-4@%rdi 8@%rsi", at the nop of a call stub. Tracers do not see vector
/// registers, so a stub first copies those that hold arguments.
/// In:      a target with call stubs: x86-64, i386, aarch64.
std::string arguments_at_entry(const std::vector<Argument> &arguments, const Target &target);

/// The sizes of the arguments in vector registers, in the registers' order.
std::vector<unsigned> real_sizes(const std::vector<Argument> &arguments, const Target &target);

}  // namespace dtrace::usdt
