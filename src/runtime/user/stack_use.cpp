// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/stack_use.h"

#include <algorithm>
#include <string_view>

namespace dtrace::runtime {
namespace {

bool is_unwound(const MappedObject &mapped) {
  const std::string_view name = mapped.object->name();
  return name.starts_with("libgcc_s.") || name.starts_with("libunwind.") || name.starts_with("libc++abi.") ||
         (mapped.is_program && mapped.object->catches_exceptions()) || mapped.object->cancels_threads();
}

bool is_unwound_by_signals(const MappedObject &mapped) {
  return mapped.object->cancels_threads() || mapped.object->may_throw_in_handlers();
}

bool switches_stacks(const MappedObject &mapped) { return mapped.object->switches_stacks(); }

/// Nothing tells what a static program wants of its C library, which handles signals for itself, too.
bool switches_stacks_by_signals(const MappedObject &mapped) {
  return mapped.object->has_stacks_for_signals() || (mapped.is_program && !mapped.object->has_interpreter());
}

}  // namespace

StackUse &StackUse::operator|=(const StackUse &other) {
  calls_interfere |= other.calls_interfere;
  signals_interfere |= other.signals_interfere;
  return *this;
}

StackUse stack_use_of(const std::vector<MappedObject> &objects) {
  const auto any = [&](bool (*is_so)(const MappedObject &)) {
    return std::any_of(objects.begin(), objects.end(), is_so);
  };
  const bool unwinds = any(is_unwound), switches = any(switches_stacks);
  StackUse use;
  use.calls_interfere = unwinds || switches;
  use.signals_interfere = (unwinds && any(is_unwound_by_signals)) || switches || any(switches_stacks_by_signals);
  return use;
}

}  // namespace dtrace::runtime
