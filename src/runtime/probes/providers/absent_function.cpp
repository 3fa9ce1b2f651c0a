// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/absent_function.h"

#include <fmt/format.h>

#include <algorithm>

namespace dtrace::runtime {
namespace {

constexpr std::string_view kCoreKernel = "vmlinux";

struct Symbol {
  std::string_view name, module;
};

/// "ffffffff81000000 t name [module]"; nothing for data.
Symbol function_of(std::string_view line) {
  const size_t kind = line.find(' ');
  if (kind == std::string_view::npos || kind + 3 > line.size()) return {};
  const char letter = line[kind + 1];
  if (letter != 't' && letter != 'T' && letter != 'w' && letter != 'W') return {};
  std::string_view rest = line.substr(kind + 3);
  const size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  Symbol symbol{rest.substr(0, end), kCoreKernel};
  const size_t open = rest.find('[', end), close = rest.find(']', end);
  if (open < close && close < rest.size()) symbol.module = rest.substr(open + 1, close - open - 1);
  return symbol;
}

}  // namespace

Absence absent_function(std::string_view kallsyms, std::string_view module, std::string_view function) {
  Symbol elsewhere, changed;
  while (!kallsyms.empty()) {
    const size_t end = std::min(kallsyms.find('\n'), kallsyms.size());
    const Symbol symbol = function_of(kallsyms.substr(0, end));
    kallsyms.remove_prefix(std::min(end + 1, kallsyms.size()));
    if (!symbol.name.starts_with(function)) continue;
    const bool is_here = module.empty() || symbol.module == module;
    if (symbol.name.size() == function.size()) {
      if (is_here)
        return {fmt::format("{} is a function of {}, but the kernel forbids probes in it", function, symbol.module),
                true};
      elsewhere = symbol;
    } else if (symbol.name[function.size()] == '.' && is_here) {
      changed = symbol;
    }
  }
  if (!changed.name.empty())
    return {fmt::format("the compiler has changed {}, so its arguments are not known: use rawfbt:{}:{}:", function,
                        changed.module, changed.name),
            true};
  if (!elsewhere.name.empty())
    return {fmt::format("{} is a function of {}: fbt:{}:{}:", function, elsewhere.module, elsewhere.module, function),
            true};
  return {fmt::format("the kernel has no function {}: it is misspelt, or the compiler has inlined it", function),
          false};
}

}  // namespace dtrace::runtime
