// SPDX-License-Identifier: Apache-2.0
// BTF without its functions: half of a kernel's.
#pragma once

#include <string>

#include "base/result.h"
#include "frontend/types/btf.h"

namespace dtrace {

/// The blob of `index` without functions, the prototypes that only these have, sections and declaration tags. All types
/// and variables stay, in their order, and so do all answers about them; IDs are others. Errors: it is split BTF; it
/// has kinds that this version does not know; an ID or a name lies outside of it.
Result<std::string> btf_without_functions(const BtfIndex &index);

}  // namespace dtrace
