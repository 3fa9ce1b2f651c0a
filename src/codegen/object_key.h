// SPDX-License-Identifier: Apache-2.0
// The key of an object in a store: a hash of everything that emission reads. Its Questions are kept beside.
#pragma once

#include "codegen/planning/layout.h"
#include "plan/object_store.h"

namespace dtrace::codegen {

/// A hash of the tree, the layout and the plan, every type that they name, the sources and all options.
/// `identity`: ObjectStore's.
ObjectKey object_key(const CompileInput &input, const Layout &layout, std::string_view identity);

}  // namespace dtrace::codegen
