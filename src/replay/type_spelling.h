// SPDX-License-Identifier: Apache-2.0
// The inverse of TypeTable::name(): from the spelling of a type, as recordings have it, to the type.
#pragma once

#include <string_view>

#include "frontend/types/types.h"

namespace dtrace::replay {

/// "struct task_struct *", "userland char *", "int (*)()", "unsigned long [4]". A struct, union or enum that nobody
/// defines becomes a forward tag; another unknown name is `void` behind a pointer. Poison: the text is empty, is no
/// type, or is an unknown name without a pointer.
TypeId type_of_spelling(std::string_view spelling, TypeTable &types);

}  // namespace dtrace::replay
