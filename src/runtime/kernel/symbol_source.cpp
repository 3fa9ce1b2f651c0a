// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel/symbol_source.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kCoreKernel = "vmlinux";

/// D type of a BTF function or variable of that name; poison if BTF has none.
TypeId type_in(const BtfIndex &btf, std::string_view name, bool is_function, TypeTable &types) {
  std::optional<uint32_t> id = btf.find(name, is_function ? BtfIndex::Kind::kFunc : BtfIndex::Kind::kVar);
  if (!id) return kPoison;
  std::optional<BtfIndex::Record> record = btf.record(*id);
  return record ? types.from_btf(btf, record->size_or_type) : kPoison;
}

}  // namespace

/// The kernel gives per-CPU variables addresses of their own between these marks, in older kernels from 0 on.
uint64_t KernelSymbolSource::cpu_offsets(const KernelSymbol &symbol) {
  if (symbol.module != kCoreKernel || symbol.is_text()) return 0;
  auto address_of = [&](std::string_view mark) -> std::optional<uint64_t> {
    const std::vector<KernelSymbol> marks = kallsyms_.by_name(kCoreKernel, mark);
    return marks.empty() ? std::nullopt : std::optional(marks.front().address);
  };
  const std::optional<uint64_t> start = address_of("__per_cpu_start"), end = address_of("__per_cpu_end");
  if (!start || !end || symbol.address < *start || symbol.address >= *end) return 0;
  return address_of("__per_cpu_offset").value_or(0);
}

std::variant<SymbolSource::Found, SymbolSource::Failure> KernelSymbolSource::find(std::string_view module,
                                                                                  std::string_view name,
                                                                                  TypeTable &types) {
  if (module == "kernel" || module == "genunix" || module == "unix") module = kCoreKernel;
  std::vector<KernelSymbol> symbols = kallsyms_.by_name(module, name);
  if (symbols.empty()) {
    const bool module_known = module.empty() || module == kCoreKernel ||
                              (kernel_.kernel_btf() != nullptr && kernel_.kernel_btf()->module(module));
    return module_known ? Failure::kUnknownSymbol : Failure::kUnknownModule;
  }
  const KernelSymbol symbol = symbols.front();
  Found found;
  found.address = symbol.address;
  found.is_function = symbol.is_text();
  found.module = symbol.module;
  found.cpu_offsets = cpu_offsets(symbol);
  if (KernelBtf *btf = kernel_.kernel_btf()) {
    if (found.module == kCoreKernel) {
      found.type = type_in(btf->vmlinux(), name, found.is_function, types);
    } else if (Result<const BtfIndex *> split = btf->module(found.module)) {
      found.type = type_in(**split, name, found.is_function, types);
    }
  }
  return found;
}

}  // namespace dtrace::runtime
