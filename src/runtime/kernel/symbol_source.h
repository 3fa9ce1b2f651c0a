// SPDX-License-Identifier: Apache-2.0
// Kernel symbols for `name in D programs: addresses from kallsyms, types from BTF (functions, and the variables BTF
// describes).
#pragma once

#include "frontend/lang/symbols.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/symbols/kallsyms.h"

namespace dtrace::runtime {

class KernelSymbolSource final : public SymbolSource {
 public:
  KernelSymbolSource(KernelInfo &kernel, Kallsyms &kallsyms) : kernel_(kernel), kallsyms_(kallsyms) {}
  std::variant<Found, Failure> find(std::string_view module, std::string_view name, TypeTable &types) override;

 private:
  uint64_t cpu_offsets(const KernelSymbol &symbol);

  KernelInfo &kernel_;
  Kallsyms &kallsyms_;
};

}  // namespace dtrace::runtime
