// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/symbolizer_impl.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "runtime/symbols/demangle.h"
#include "runtime/symbols/managed_frames.h"

namespace dtrace::runtime {

namespace {

constexpr size_t kMaxDemangled = 65536;

std::string bare(uint64_t address) { return fmt::format("{:#x}", address); }

std::string symbol_text(std::string_view object, std::string_view symbol, uint64_t offset, bool want_offset) {
  if (!want_offset || offset == 0) return fmt::format("{}`{}", object, symbol);
  return fmt::format("{}`{}+{:#x}", object, symbol, offset);
}

}  // namespace

SystemSymbolizer::SystemSymbolizer(SymbolizerOptions options) : SystemSymbolizer(std::move(options), Kallsyms()) {}

SystemSymbolizer::SystemSymbolizer(SymbolizerOptions options, Kallsyms kernel)
    : options_(std::move(options)), kernel_(std::move(kernel)), user_(options_.user) {
  show_source(options_.inlines, options_.lines);
}

void SystemSymbolizer::show_source(bool inlines, bool lines) {
  options_.inlines = inlines;
  options_.lines = lines;
  if (!options_.no_resolve && (inlines || lines)) user_.want_source(lines);
}

std::string SystemSymbolizer::kernel_symbol(uint64_t address, bool want_offset) {
  if (const std::optional<KernelLocation> found = kernel_.by_address(address)) {
    return symbol_text(found->symbol.module, readable(found->symbol.name), found->offset, want_offset);
  }
  const std::string_view module = kernel_.module_of(address);
  return module.empty() ? bare(address) : fmt::format("{}`{:#x}", module, address);
}

std::string SystemSymbolizer::kernel_module(uint64_t address) {
  const std::string_view module = kernel_.module_of(address);
  return module.empty() ? bare(address) : std::string(module);
}

std::string SystemSymbolizer::user_symbol(pid_t pid, uint64_t address, bool want_offset) {
  if (options_.no_resolve) {
    const UserLocation found = user_.locate(pid, address);
    return found.object.empty() ? bare(address) : fmt::format("{}:{:#x}", found.object, found.object_offset);
  }
  const UserLocation found = user_.resolve(pid, address);
  if (found.object.empty()) return bare(address);
  // The offset, unlike the address, is the same in each process, and is what addr2line(1) takes.
  if (found.symbol.empty()) return fmt::format("{}+{:#x}", found.object, found.object_offset);
  return symbol_text(found.object, readable(found.symbol), found.symbol_offset, want_offset);
}

std::vector<StackFrame> SystemSymbolizer::user_frames(pid_t pid, uint64_t address, bool is_return) {
  if (is_managed(address)) return managed_frames(pool_, address);
  std::vector<StackFrame> frames;
  StackFrame own{user_symbol(pid, address, true), {}, false, {}};
  if (!options_.no_resolve && (options_.inlines || options_.lines)) {
    const auto text = [&](const SourceLine &line) {
      return options_.lines && !line.file.empty() ? fmt::format("{}:{}", line.file, line.line) : std::string();
    };
    if (const SourceFrames *source = user_.source(pid, address - (is_return ? 1 : 0))) {
      own.source = text(options_.inlines || source->inlined.empty() ? source->line : source->inlined.front().line);
      const std::string_view object = std::string_view(own.symbol).substr(0, own.symbol.find_first_of("`+"));
      if (options_.inlines)
        for (const SourceFrames::Inlined &inlined : source->inlined)
          frames.push_back({symbol_text(object, readable(inlined.function), 0, false), text(inlined.line), true, {}});
    }
  }
  frames.push_back(std::move(own));
  return frames;
}

std::string SystemSymbolizer::user_module(pid_t pid, uint64_t address) {
  const UserLocation found = user_.locate(pid, address);
  return found.object.empty() ? bare(address) : std::string(found.object);
}

std::string_view SystemSymbolizer::readable(std::string_view symbol) {
  if (!options_.demangle || !(symbol.starts_with("_Z") || symbol.starts_with("_R"))) return symbol;
  if (demangled_.size() >= kMaxDemangled) demangled_.clear();
  const auto [it, is_new] = demangled_.try_emplace(std::string(symbol));
  if (is_new) it->second = demangle(symbol);
  return it->second;
}

}  // namespace dtrace::runtime
