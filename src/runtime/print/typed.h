// SPDX-License-Identifier: Apache-2.0
// print(): an object shown member by member by its type. There are two layouts: that of a value, and that of an object
// behind a pointer, with its address.
//
// The bytes may be fewer than the type's size (option printsize): what is missing shows as "...".
// Source: D language reference, 6.5.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frontend/types/types.h"
#include "runtime/print/text.h"

namespace dtrace::runtime {

/// A value: "type value", or "type {", one member a line, "}". No newline at the end. `context` names function
/// pointers.
void append_typed_value(std::string &out, const TypeTable &types, TypeId type, std::string_view bytes,
                        const TextContext &context);

/// The object at `address`: "0xaddr = *", then lines from column 44. Members and trailing elements that are zero are
/// left out. Every line ends in a newline.
void append_pointed(std::string &out, const TypeTable &types, TypeId type, uint64_t address, std::string_view bytes);

}  // namespace dtrace::runtime
