// SPDX-License-Identifier: Apache-2.0
// Names at file scope and in namespaces of one program's file: types, enumerators and variables. The file is walked
// once, when the first name is looked up. An index of a large file is kept for the next run, which walks nothing.
//
// A name is written without its scope ("Cart", whatever namespace it is in) or with it ("shop::Cart", "Shelf::Slot" in
// a class). Names with a scope, and those of templates, have a spelling that compilers agree on
// (frontend/text/type_name.h).
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/types/types.h"
#include "runtime/debug_info/dwarf_file.h"
#include "runtime/debug_info/name_index.h"

namespace dtrace::runtime {

/// Is the enumeration's underlying type signed? Without one it is `int`.
bool is_signed_enumeration(Dwarf_Die *enumeration);
/// The value of an enumerator, by that.
int64_t enumerator_value(Dwarf_Die *enumerator, bool is_signed);

class DwarfNames {
 public:
  explicit DwarfNames(DwarfFile &file) : file_(file) {}

  /// A definition of that name, else a declaration. In kOrdinary are typedefs and base types, and C++ classes, whose
  /// names need no keyword.
  std::optional<Dwarf_Die> type(TagKind kind, std::string_view name);
  /// The enumeration that has it, and its value.
  std::optional<std::pair<Dwarf_Die, int64_t>> enumerator(std::string_view name);
  /// One that has a location or a constant value, else one that has neither.
  std::optional<Dwarf_Die> variable(std::string_view name);

 private:
  struct Named {
    Dwarf_Die die;
    bool is_complete = false;
  };
  /// Where the walk is. A name in an inline or unnamed namespace has several scopes: "std::__cxx11::" and "std::".
  /// Only the hash of a scope is kept, from which the hash of a name in it goes on; 0: no namespace.
  struct Scope {
    unsigned depth = 0;
    bool is_cxx = false;
    std::vector<uint64_t> hashes = {0};
  };
  /// What a name is looked up as, in the key's low bits. With a scope: the first four are TagKind's.
  static constexpr unsigned kVariable = 4, kScopeOfEnumeration = 5;
  /// Without a scope: the same, from here on; and an enumerator.
  static constexpr unsigned kPlain = 8, kEnumerator = 14;

  void read();
  void walk();
  void keep();
  void read_scope(Dwarf_Die *die, const Scope &scope);
  void add_variable(Dwarf_Die *die, const Scope &scope);
  void read_namespace(Dwarf_Die *die, const Scope &outer);
  void add(Dwarf_Die *die, const Scope &scope);
  void note(unsigned kind, Dwarf_Die *die, bool is_complete, const Scope &scope);
  void read_enumerators();
  std::optional<Dwarf_Die> entry_at(uint64_t offset) const;
  std::optional<Dwarf_Die> find(uint64_t key) const;
  /// In any scope, or in none.
  std::optional<Dwarf_Die> plain(unsigned kind, std::string_view name) const;
  std::optional<Dwarf_Die> scoped(unsigned kind, std::string_view canonical) const;
  std::vector<Dwarf_Die> enumerations_of_scope(std::string_view scope) const;
  std::optional<Dwarf_Die> type_in_class(TagKind kind, std::string_view canonical, unsigned depth);
  std::optional<Dwarf_Die> find_type(TagKind kind, std::string_view canonical, unsigned depth);
  std::optional<std::pair<Dwarf_Die, int64_t>> scoped_enumerator(std::string_view name);

  DwarfFile &file_;
  bool is_read_ = false;
  std::optional<NameIndex> kept_;              // of an earlier run: then all below is empty
  std::unordered_map<uint64_t, Named> names_;  // by key
  std::unordered_map<const void *, std::vector<uint64_t>> declared_variables_;  // hashes of their scopes
  std::vector<Dwarf_Die> enumerations_;
  std::unordered_multimap<uint64_t, Dwarf_Die> enumerations_by_scope_;
  bool has_enumerators_ = false;
};

}  // namespace dtrace::runtime
