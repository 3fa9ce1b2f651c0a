// SPDX-License-Identifier: Apache-2.0
// Where the arguments of an inlined call can be read. clang moves the call's first instructions up, before those that
// compute the arguments. Its location lists begin behind the latter.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/debug_info/object_debug_info.h"

namespace dtrace::runtime {

/// In:  instructions that follow each other, the first where the call begins.
/// Out: the first of them at which the most parameters of the call have a location, while no location has changed.
uint64_t begin_of_arguments(ObjectDebugInfo &info, uint32_t call, std::span<const uint64_t> straight);

}  // namespace dtrace::runtime
