// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/vm_structs.h"

#include <fmt/format.h>

#include "base/foreign_limits.h"

namespace dtrace::runtime {
namespace {

/// One table: where it is, how far apart its entries are, and where an entry has what.
class Table {
 public:
  /// `table`: the variable that points to it; `entry`: how the names of the variables with its layout begin.
  static std::optional<Table> open(CachedPages &memory, const VmStructs::FindSymbol &find, std::string_view table,
                                   std::string_view entry) {
    Table made(memory, find, entry);
    const std::optional<uint64_t> start = made.variable(table);
    const std::optional<uint64_t> stride = made.variable(fmt::format("{}ArrayStride", entry));
    if (!start || *start == 0 || !stride || *stride == 0 || *stride > limits::kMaxVmStructBytes) return std::nullopt;
    made.at_ = *start;
    made.stride_ = *stride;
    return made;
  }

  /// The offset in an entry of what is called so.
  std::optional<uint64_t> offset(std::string_view what) {
    const std::optional<uint64_t> found = variable(fmt::format("{}{}Offset", entry_, what));
    return found && *found < stride_ ? found : std::nullopt;
  }
  std::optional<std::string> text(uint64_t offset) {
    const auto address = memory_.number<uint64_t>(at_ + offset);
    if (!address || *address == 0) return std::nullopt;
    return memory_.string(*address, limits::kMaxVmStructNameBytes);
  }
  template <typename Number>
  std::optional<Number> number(uint64_t offset) {
    return memory_.number<Number>(at_ + offset);
  }
  void next() { at_ += stride_; }

 private:
  Table(CachedPages &memory, const VmStructs::FindSymbol &find, std::string_view entry)
      : memory_(memory), find_(find), entry_(entry) {}
  std::optional<uint64_t> variable(std::string_view name) {
    const std::optional<uint64_t> address = find_(name);
    return address ? memory_.number<uint64_t>(*address) : std::nullopt;
  }

  CachedPages &memory_;
  const VmStructs::FindSymbol &find_;
  std::string entry_;
  uint64_t at_ = 0, stride_ = 0;
};

}  // namespace

Result<VmStructs> VmStructs::read(CachedPages &memory, const FindSymbol &find) {
  VmStructs made;
  std::optional<Table> structs = Table::open(memory, find, "gHotSpotVMStructs", "gHotSpotVMStructEntry");
  std::optional<Table> types = Table::open(memory, find, "gHotSpotVMTypes", "gHotSpotVMTypeEntry");
  if (!structs || !types) return Error("no HotSpot tables");
  const auto type = structs->offset("TypeName"), field = structs->offset("FieldName"),
             type_text = structs->offset("TypeString"), is_static = structs->offset("IsStatic"),
             offset = structs->offset("Offset"), address = structs->offset("Address");
  if (!type || !field || !type_text || !is_static || !offset || !address) return Error("unknown HotSpot tables");
  for (size_t i = 0; i < limits::kMaxVmStructEntries; ++i, structs->next()) {
    const std::optional<std::string> owner = structs->text(*type), name = structs->text(*field);
    if (!owner || !name) break;
    Field found;
    found.type = structs->text(*type_text).value_or("");
    const auto flag = structs->number<int32_t>(*is_static);
    const auto value = structs->number<uint64_t>(flag.value_or(0) != 0 ? *address : *offset);
    if (!flag || !value) break;
    found.is_static = *flag != 0;
    found.value = *value;
    made.fields_.emplace(*owner + "." + *name, std::move(found));
  }
  const auto type_name = types->offset("TypeName"), size = types->offset("Size");
  if (!type_name || !size) return Error("unknown HotSpot tables");
  for (size_t i = 0; i < limits::kMaxVmStructEntries; ++i, types->next()) {
    const std::optional<std::string> name = types->text(*type_name);
    const auto size_bytes = types->number<uint64_t>(*size);
    if (!name || !size_bytes) break;
    made.sizes_.emplace(*name, *size_bytes);
  }
  return made;
}

const VmStructs::Field *VmStructs::field(std::string_view name) const {
  const auto found = fields_.find(name);
  return found == fields_.end() ? nullptr : &found->second;
}

std::optional<uint64_t> VmStructs::offset(std::string_view name) const {
  const Field *found = field(name);
  return found == nullptr || found->is_static ? std::nullopt : std::optional(found->value);
}

std::optional<uint64_t> VmStructs::address(std::string_view name) const {
  const Field *found = field(name);
  return found == nullptr || !found->is_static ? std::nullopt : std::optional(found->value);
}

std::optional<uint64_t> VmStructs::size_of(std::string_view type) const {
  const auto found = sizes_.find(type);
  return found == sizes_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace dtrace::runtime
