// SPDX-License-Identifier: Apache-2.0
// Structures as the definitions in a provider's note describe them, for programs without debug information.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/usdt/struct_layout.h"

namespace dtrace::runtime {

/// In:   C declarations as usdt::Provider::definitions has them; `type`, "request_t" or "struct request".
/// Out:  its layout in a program of that data model. Nothing: no definition of it, or one that uses types that neither
///       D nor the definitions know.
std::optional<StructLayout> note_layout(std::span<const std::string> definitions, std::string_view type, bool is_64bit);

}  // namespace dtrace::runtime
