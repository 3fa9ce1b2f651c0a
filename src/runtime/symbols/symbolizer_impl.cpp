// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/symbolizer_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "base/hexadecimal.h"
#include "base/read_file.h"
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

/// Build ID of the running kernel, from the notes that it shows: {name bytes, description bytes, type}, name,
/// description.
std::string kernel_build_id(const std::string &module) {
  const Result<std::string> notes =
      read_file(module == "vmlinux" ? "/sys/kernel/notes" : "/sys/module/" + module + "/notes/.note.gnu.build-id");
  if (!notes) return {};
  const auto aligned = [](size_t bytes) { return (bytes + 3) / 4 * 4; };
  constexpr uint32_t kBuildId = 3;
  size_t at = 0;
  while (notes->size() - at >= 12) {
    uint32_t head[3];
    std::memcpy(head, notes->data() + at, sizeof head);
    const size_t text = at + sizeof head + aligned(head[0]);
    if (text > notes->size() || head[1] > notes->size() - text) return {};
    if (head[2] == kBuildId &&
        std::string_view(*notes).substr(at + sizeof head, head[0]) == std::string_view("GNU", 4)) {
      const auto *bytes = reinterpret_cast<const uint8_t *>(notes->data() + text);
      return hexadecimal_text({bytes, head[1]});
    }
    at = std::min(text + aligned(head[1]), notes->size());
  }
  return {};
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

std::string SystemSymbolizer::user_symbol(UserImage image, uint64_t address, bool want_offset) {
  if (options_.no_resolve) {
    const UserLocation found = user_.locate(image, address);
    return found.object.empty() ? bare(address) : fmt::format("{}:{:#x}", found.object, found.object_offset);
  }
  const UserLocation found = user_.resolve(image, address);
  if (found.object.empty()) return bare(address);
  // The offset, unlike the address, is the same in each process, and is what addr2line(1) takes.
  if (found.symbol.empty()) return fmt::format("{}+{:#x}", found.object, found.object_offset);
  return symbol_text(found.object, readable(found.symbol), found.symbol_offset, want_offset);
}

std::vector<StackFrame> SystemSymbolizer::user_frames(UserImage image, uint64_t address, bool is_return) {
  if (is_managed(address)) return managed_frames(pool_, address);
  std::vector<StackFrame> frames;
  StackFrame own{user_symbol(image, address, true), {}, false, {}};
  if (!options_.no_resolve && (options_.inlines || options_.lines)) {
    const auto text = [&](const SourceLine &line) {
      return options_.lines && !line.file.empty() ? fmt::format("{}:{}", line.file, line.line) : std::string();
    };
    if (const SourceFrames *source = user_.source(image, address - (is_return ? 1 : 0))) {
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

std::string SystemSymbolizer::user_module(UserImage image, uint64_t address) {
  const UserLocation found = user_.locate(image, address);
  return found.object.empty() ? bare(address) : std::string(found.object);
}

CodeMapping SystemSymbolizer::mapping(UserImage image, uint64_t address) {
  if (is_managed(address)) return {};
  if (image.pid != 0) return user_.mapping(image, address);
  CodeMapping mapping;
  const std::string module(kernel_.module_of(address));
  if (module.empty()) return mapping;
  if (const auto range = kernel_.range_of(address)) std::tie(mapping.start, mapping.end) = *range;
  mapping.file = fmt::format("[{}]", module == "vmlinux" ? "kernel.kallsyms" : module);
  const auto [it, is_new] = kernel_build_ids_.try_emplace(module);
  if (is_new) it->second = kernel_build_id(module);
  mapping.build_id = it->second;
  return mapping;
}

std::string_view SystemSymbolizer::readable(std::string_view symbol) {
  if (!options_.demangle || !(symbol.starts_with("_Z") || symbol.starts_with("_R"))) return symbol;
  if (demangled_.size() >= kMaxDemangled) demangled_.clear();
  const auto [it, is_new] = demangled_.try_emplace(std::string(symbol));
  if (is_new) it->second = demangle(symbol);
  return it->second;
}

}  // namespace dtrace::runtime
