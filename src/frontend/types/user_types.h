// SPDX-License-Identifier: Apache-2.0
// Types of one user program's file, as TypeTable asks for them. What reads debug information stands behind this
// interface; the front end sees records and numbers.
//
// What a reader would get wrong: the file may be hostile. A type may contain itself, or an endless chain of types.
// TypeTable follows references to a bounded depth and converts members when they are first asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/types/types.h"

namespace dtrace {

class UserTypes {
 public:
  virtual ~UserTypes() = default;

  /// Number of a type in this file, dense from 1; 0 is void. Two numbers never mean the same named type.
  using Id = uint32_t;

  struct Record {
    TypeKind kind = TypeKind::kVoid;  ///< kVoid, kInt, kFloat, kEnum, kPointer, kArray, kStruct, kUnion, kForward,
                                      ///< kTypedef, kQualified or kFunction
    TagKind tag = TagKind::kOrdinary;
    std::string_view name;    ///< lives as long as this object
    uint64_t size_bytes = 0;  ///< kInt, kFloat, kEnum, kStruct, kUnion
    uint64_t count = 0;       ///< kArray
    Id target = 0;            ///< pointee, element, typedef'd, qualified or returned type
    uint8_t qualifiers = 0;   ///< kQualified
    bool is_signed = false, is_bool = false, is_char = false, is_variadic = false;
  };
  struct RawMember {
    std::string_view name;  ///< empty: its members count as members of what it is in (also base classes)
    Id type = 0;
    uint64_t off_bits = 0;
    uint32_t bits = 0;  ///< width of a bit-field; 0: none
  };

  /// What the file is called, as probes' modules are.
  virtual std::string_view module() const = 0;
  virtual Record record(Id id) = 0;
  virtual std::vector<RawMember> members(Id id) = 0;
  virtual std::vector<Enumerator> enumerators(Id id) = 0;
  virtual std::vector<Id> parameters(Id id) = 0;
  /// The canonical name (frontend/text/type_name.h) of a struct, union or enum with the namespaces and classes that it
  /// is in; lives as long as this object.
  virtual std::string_view full_name(Id id) = 0;
  /// The type that a class template's parameter of that name has in this class.
  virtual std::optional<Id> template_argument(Id id, std::string_view name) = 0;
  /// A complete type of that name, else a declared one. The first call by name reads all names of the file.
  virtual std::optional<Id> find(TagKind kind, std::string_view name) = 0;
  virtual std::optional<std::pair<Id, int64_t>> find_enumerator(std::string_view name) = 0;
};

}  // namespace dtrace
