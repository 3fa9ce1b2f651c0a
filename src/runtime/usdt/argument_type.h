// SPDX-License-Identifier: Apache-2.0
// D types of static probes' arguments: from the texts of declarations, else from the sizes of operands.
#pragma once

#include <string>
#include <string_view>

#include "frontend/types/types.h"
#include "plan/hook.h"

namespace dtrace::runtime {

/// The type that `text` ("const char *", "struct query *", "uint8_t [16]") names, pointers pointing into user land if
/// `space` says so. What nobody has defined is opaque: `void *` for pointers, else what the operand is. C's
/// floating-point types are all double.
TypeId declared_type(std::string_view text, const UserOperand &operand, Space space, TypeTable &types);

/// int8_t .. uint64_t, or double: of any size at a site, as values become doubles there (codegen/clause/operand.cpp).
TypeId operand_type(const UserOperand &operand, TypeTable &types);

/// Is it one of C's floating-point types?
bool is_floating_type(std::string_view text);

/// What the type is, or points to, without qualifiers: "request_t", "struct request"; empty for C's own types.
std::string pointed_name(std::string_view text);

/// Does any D source define the type that `text` is, or points to?
bool is_known_type(std::string_view text, TypeTable &types);

}  // namespace dtrace::runtime
