// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/program_scope.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <algorithm>

#include "runtime/debug_info/thread_storage.h"

namespace dtrace::runtime {
namespace {

/// What is before DW_OP_form_tls_address.
std::optional<uint64_t> stated_offset(Dwarf_Attribute *location, const Dwarf_Op &operation) {
  switch (operation.atom) {
    case DW_OP_addr:
    case DW_OP_const4u:
    case DW_OP_const8u:
    case DW_OP_const4s:
    case DW_OP_const8s:
    case DW_OP_constu:
      return operation.number;
    case DW_OP_addrx:
    case DW_OP_constx:
    case DW_OP_GNU_addr_index:
    case DW_OP_GNU_const_index: {
      Dwarf_Attribute operand;
      Dwarf_Addr address = 0;
      Dwarf_Word number = 0;
      if (dwarf_getlocation_attr(location, &operation, &operand) != 0) return std::nullopt;
      if (dwarf_formaddr(&operand, &address) == 0) return address;
      if (dwarf_formudata(&operand, &number) == 0) return number;  // split debug information
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

struct FileAddress {
  uint64_t address = 0;
  bool is_thread_local = false;  ///< the address is ThreadVariable::number
  bool may_be_address = false;   ///< ThreadVariable's

  ThreadVariable in_threads() const { return {address, may_be_address}; }
};

bool is_from_gcc(Dwarf_Die *die) {
  Dwarf_Die unit;
  Dwarf_Attribute found;
  if (dwarf_diecu(die, &unit, nullptr, nullptr) == nullptr || dwarf_attr(&unit, DW_AT_producer, &found) == nullptr)
    return false;
  const char *producer = dwarf_formstring(&found);
  return producer != nullptr && std::string_view(producer).starts_with("GNU ");
}

/// The address of a variable in its file.
Result<FileAddress> address_of(Dwarf_Die *variable, std::string_view name) {
  Dwarf_Attribute location, operand;
  Dwarf_Op *operations = nullptr;
  size_t count = 0;
  Dwarf_Addr address = 0;
  if (dwarf_attr_integrate(variable, DW_AT_location, &location) == nullptr ||
      dwarf_getlocation(&location, &operations, &count) != 0 || count == 0)
    return Error(fmt::format("variable {} was optimised out", name));
  const Dwarf_Op &first = operations[0];
  if (count == 1 && first.atom == DW_OP_addr) return FileAddress{first.number};
  if (count == 1 && (first.atom == DW_OP_addrx || first.atom == DW_OP_GNU_addr_index) &&
      dwarf_getlocation_attr(&location, &first, &operand) == 0 && dwarf_formaddr(&operand, &address) == 0)
    return FileAddress{address};
  const Dwarf_Op &last = operations[count - 1];
  if (count == 2 && (last.atom == DW_OP_form_tls_address || last.atom == DW_OP_GNU_push_tls_address))
    if (const std::optional<uint64_t> offset = stated_offset(&location, first)) {
      const bool is_indexed = first.atom == DW_OP_constx || first.atom == DW_OP_GNU_const_index;
      return FileAddress{*offset, true, is_indexed && is_from_gcc(variable)};
    }
  return Error(fmt::format("variable {} has no fixed address", name));
}

/// The same of a variable that an object has. Nothing: it was optimised out. Compilers for arm64 do not state where
/// thread-local variables are; their symbols do.
std::optional<Result<FileAddress>> address_in(UserObject &object, Dwarf_Die *variable, std::string_view name) {
  Dwarf_Attribute stated;
  if (dwarf_attr_integrate(variable, DW_AT_location, &stated) != nullptr ||
      dwarf_attr_integrate(variable, DW_AT_const_value, &stated) != nullptr)
    return address_of(variable, name);
  const ElfSymbols *symbols = object.symbols();
  const std::vector<uint64_t> offsets =
      symbols != nullptr ? symbols->thread_offsets(dwarf_linkage_name(variable)) : std::vector<uint64_t>();
  if (offsets.empty()) return std::nullopt;
  if (offsets.size() == 1) return FileAddress{offsets.front(), true};
  return Error(
      fmt::format("{} has several thread-local variables {}, and its debug information does not say where each is",
                  object.name(), name));
}

}  // namespace

std::optional<MappedObject> ProgramScope::mapped(std::string_view module) {
  if (pid_ == 0) return std::nullopt;
  const Result<std::vector<MappedObject>> all = objects_.of_process(pid_);
  if (!all) return std::nullopt;
  const auto found = std::ranges::find_if(*all, [&](const MappedObject &mapped) {
    return module.empty() ? mapped.object == own_ : module_matches(module, mapped);
  });
  return found == all->end() ? std::nullopt : std::optional(*found);
}

Result<UserTypes *> ProgramScope::types(std::string_view module) {
  std::shared_ptr<UserObject> object = own_;
  if (!module.empty()) {
    const std::optional<MappedObject> found = mapped(module);
    if (!found) return static_cast<UserTypes *>(nullptr);
    object = found->object;
  }
  const Result<ObjectDebugInfo *> info = cache_.of(object, pid_);
  if (!info) return Error(info.error().text());
  // A name may be in any of them.
  if (Result<Unit> read = (*info)->file().read_split_units(); !read) return std::move(read).error();
  return static_cast<UserTypes *>(&(*info)->types());
}

Result<std::optional<UserScope::Variable>> ProgramScope::in_all_processes(std::string_view module,
                                                                          std::string_view name, TypeTable &types) {
  const Result<ObjectDebugInfo *> info = cache_.of(own_, pid_);
  if (!info) return std::optional<Variable>();
  if (Result<Unit> read = (*info)->file().read_split_units(); !read) return std::move(read).error();
  DwarfTypes &own = (*info)->types();
  std::optional<Dwarf_Die> die = own.find_variable(name);
  if (!die) return std::optional<Variable>();
  const std::optional<Result<FileAddress>> place = address_in(*own_, &*die, name);
  if (!place) return std::optional<Variable>();
  const Result<FileAddress> &address = *place;
  if (address && address->is_thread_local && module_matches(module, {own_, false, 0, 0})) {
    Result<std::vector<int64_t>> steps = thread_steps_of_program(*own_, address->in_threads());
    if (!steps) return Error(fmt::format("variable {} is thread-local: {}", name, steps.error().text()));
    return std::optional(Variable{types.from_user(own, own.type_of(&*die)), 0, std::move(*steps)});
  }
  return Error(fmt::format("variable {} has an address of its own in each process, and the probe is in all", name));
}

Result<std::optional<UserScope::Variable>> ProgramScope::variable(std::string_view module, std::string_view name,
                                                                  TypeTable &types) {
  if (pid_ == 0) return in_all_processes(module, name, types);
  const std::optional<MappedObject> found = mapped(module);
  if (!found) return std::optional<Variable>();
  const Result<ObjectDebugInfo *> info = cache_.of(found->object, pid_);
  if (!info) return Error(info.error().text());
  if (Result<Unit> read = (*info)->file().read_split_units(); !read) return std::move(read).error();
  DwarfTypes &own = (*info)->types();
  std::optional<Dwarf_Die> die = own.find_variable(name);
  if (!die) return std::optional<Variable>();
  const std::optional<Result<FileAddress>> place = address_in(*found->object, &*die, name);
  if (!place) return std::optional<Variable>();
  const Result<FileAddress> &address = *place;
  if (!address) return Error(address.error().text());
  const TypeId type = types.from_user(own, own.type_of(&*die));
  if (address->is_thread_local) {
    const Result<std::vector<MappedObject>> all = objects_.of_process(pid_);
    if (!all) return Error(all.error().text());
    Result<std::vector<int64_t>> steps = thread_steps(pid_, *all, *found, address->in_threads());
    if (!steps) return Error(fmt::format("variable {} is thread-local: {}", name, steps.error().text()));
    return std::optional(Variable{type, 0, std::move(*steps)});
  }
  const ElfSymbols *symbols = found->object->symbols();
  const std::optional<uint64_t> bias =
      symbols != nullptr ? symbols->load_bias(found->start, found->start_offset, true) : std::nullopt;
  if (!bias) return Error(fmt::format("where {} is in the process is not known", found->object->path()));
  return std::optional(Variable{type, address->address + *bias, {}});
}

}  // namespace dtrace::runtime
