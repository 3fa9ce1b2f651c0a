// SPDX-License-Identifier: Apache-2.0
// The kernel functions that probes can be set in, core kernel and modules.
//
// What a reader would get wrong: the function tracer's addresses lie a few bytes into a function that begins with a
// landing mark for indirect branches. Those here are where functions begin, because that is what the kernel looks
// cookies up by.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace dtrace::runtime {

struct KernelFunction {
  std::string_view name;
  std::string_view module;  ///< "vmlinux" for the core kernel
  uint64_t address = 0;
  bool is_repeated = false;                      ///< the module has one of that name before it
  bool is_gone() const { return address == 0; }  ///< its module was unloaded
};

/// The table, in the kernel's own order: core kernel first, then modules as they were loaded.
///
/// Source: the function tracer's list, with addresses where the kernel gives them (6.5 and later), else by kallsyms.
///         Without a list, kallsyms alone, and only the functions that BTF describes.
/// Left out: functions in which the kernel forbids probes. Also functions of the same name in one module, if the list
///         and kallsyms have a different number of them: it is unknown which address belongs to which.
class KernelFunctions {
 public:
  /// `described`: whether BTF has a function of that name; asked only when there is no list.
  using Described = bool (*)(void *host, std::string_view name);

  /// Reads everything. `tracefs` may be empty.
  /// Errors: kallsyms cannot be read, or hides addresses.
  static Result<KernelFunctions> read(const std::string &tracefs, Described described, void *host);

  /// The same from texts: available_filter_functions_addrs, available_filter_functions, kallsyms, kprobes/blacklist.
  /// The first that is not empty of the two lists is used.
  static KernelFunctions from_text(std::string with_addresses, std::string names, std::string kallsyms,
                                   std::string forbidden, Described described, void *host);

  /// Takes over what `now`, read later, says of modules: functions of new ones are appended, so that each keeps its
  /// position; those of modules that went are gone. Returns the modules that went, also those that were loaded anew
  /// since.
  std::set<std::string, std::less<>> update(const KernelFunctions &now);

  const std::vector<KernelFunction> &all() const { return functions_; }
  /// Those of that name in that module: static functions may share one. In order of the table.
  std::vector<const KernelFunction *> by_name(std::string_view module, std::string_view name) const;
  /// Calls `each` with them, the last one first.
  template <typename Function>
  void each_by_name(std::string_view module, std::string_view name, Function each) const {
    if (chains_.empty()) return;
    for (uint32_t at = chains_[chain_of(name)]; at != 0; at = next_[at - 1]) {
      const KernelFunction &function = functions_[at - 1];
      if (function.name == name && function.module == module && !function.is_gone()) each(function);
    }
  }

 private:
  static std::optional<KernelFunctions> from_marks(const std::string &with_addresses, std::string_view forbidden);
  void finish(std::string_view forbidden);
  size_t chain_of(std::string_view name) const { return std::hash<std::string_view>()(name) & (chains_.size() - 1); }
  void index(uint32_t place);
  KernelFunction *find_gone(std::string_view module, std::string_view name);

  std::deque<std::string> texts_;  // what the views point into
  std::vector<KernelFunction> functions_;
  /// Module: what tells one load of it from the next, which may be at the same addresses. Empty for tables from texts.
  std::map<std::string, uint64_t, std::less<>> loads_;
  // By name: chains of indexes into functions_, of which 0 is the end. A table made for this size costs a tenth of the
  // standard one, and it is made at each start that names kernel functions.
  std::vector<uint32_t> chains_, next_;  // of the first, as many as a power of two
};

}  // namespace dtrace::runtime
