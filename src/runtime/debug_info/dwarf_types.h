// SPDX-License-Identifier: Apache-2.0
// Types of one program's file from its debug information, as the front end asks for them (frontend/types/user_types.h).
//
// What a reader would get wrong: every source file has its own entries of the types that its headers define. One of a
// name, size and line stands for all, so that values from two source files are of one type.
#pragma once

#include <elfutils/libdw.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "frontend/types/user_types.h"
#include "runtime/debug_info/dwarf_file.h"
#include "runtime/debug_info/dwarf_names.h"

namespace dtrace::runtime {

class DwarfTypes final : public UserTypes {
 public:
  /// `file` must outlive this; `module` is what the program's file is called.
  DwarfTypes(DwarfFile &file, std::string module) : file_(file), module_(std::move(module)), names_(file) {}

  /// The number of what an entry is, or of the type that it has (DW_AT_type). 0: void, or more types than are kept.
  Id of(Dwarf_Die die) { return number_of(die, 0); }
  Id type_of(Dwarf_Die *die);

  std::string_view module() const override { return module_; }
  Record record(Id id) override;
  std::vector<RawMember> members(Id id) override;
  std::vector<Enumerator> enumerators(Id id) override;
  std::vector<Id> parameters(Id id) override;
  std::string_view full_name(Id id) override;
  std::optional<Id> template_argument(Id id, std::string_view name) override;
  std::optional<Id> find(TagKind kind, std::string_view name) override;
  std::optional<std::pair<Id, int64_t>> find_enumerator(std::string_view name) override;

  /// Entry of a variable, preferably of one that has a location or a constant value.
  std::optional<Dwarf_Die> find_variable(std::string_view name) { return names_.variable(name); }

 private:
  /// An entry; of an array its dimension, since each is a type in C.
  struct Known {
    Dwarf_Die die;
    unsigned dimension = 0;
  };
  using Definition = std::tuple<int, std::string_view, uint64_t, uint64_t>;  // tag, name, size, digest of the contents

  Id number_of(Dwarf_Die die, unsigned dimension);
  Record array(const Known &known);
  uint64_t digest_of(Dwarf_Die die);

  DwarfFile &file_;
  std::string module_;
  DwarfNames names_;
  std::vector<Known> known_;  // by number - 1
  std::map<std::pair<const void *, unsigned>, Id> numbers_;
  std::map<Definition, Id> definitions_;
  std::map<Id, std::string> full_names_;
};

}  // namespace dtrace::runtime
