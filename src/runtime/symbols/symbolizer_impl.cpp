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
constexpr size_t kMaxKnownFrames = 32768;
constexpr size_t kFramesAtOnce = 65536;  // that are looked up file by file: two megabytes

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

size_t SystemSymbolizer::HashKnownFrame::operator()(const KnownFrame &frame) const {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
  uint64_t hash = reinterpret_cast<uintptr_t>(frame.object) * kFactor;
  hash = (hash ^ frame.offset ^ (frame.is_return ? 1ull << 63 : 0)) * kFactor;
  return hash ^ hash >> 32;
}

SystemSymbolizer::KnownFrame SystemSymbolizer::known_frame(const FileAddress &at, bool is_return) {
  return {at.object.get(), at.offset, at.from_base, at.executable, is_return};
}

void SystemSymbolizer::prepare(std::span<const StackAddresses> stacks, const std::function<bool()> &gives_up,
                               const TellProgress &tell) {
  known_.clear();
  known_objects_.clear();
  if (options_.no_resolve) return;
  using Frame = std::tuple<pid_t, uint32_t, uint64_t, bool>;  // process, program, address, is a return address
  struct Wanted {
    KnownFrame frame;
    ObjectRef object;
    Frame of;
  };
  std::vector<Frame> frames;
  const auto keep_one_of_each = [&frames] {
    std::ranges::sort(frames);
    frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  };
  const auto add_frames = [&frames](const StackAddresses &stack) {
    bool is_return = false;
    for (const uint64_t address : stack.frames) {
      if (address == 0) break;
      if (is_managed(address)) continue;
      frames.emplace_back(stack.image.pid, stack.image.mark, address, is_return);
      is_return = true;
    }
  };
  while (!stacks.empty() && known_.size() < kMaxKnownFrames) {
    frames.clear();
    while (!stacks.empty() && frames.size() < kFramesAtOnce / 2) {
      while (!stacks.empty() && frames.size() < kFramesAtOnce) {
        add_frames(stacks.front());
        stacks = stacks.subspan(1);
      }
      keep_one_of_each();
    }
    std::vector<Wanted> wanted;
    for (const Frame &frame : frames) {
      const auto &[pid, mark, address, is_return] = frame;
      const std::optional<FileAddress> at = user_.file_address({pid, mark}, address);
      if (at && !known_.contains(known_frame(*at, is_return)))
        wanted.push_back({known_frame(*at, is_return), at->object, frame});
    }
    std::ranges::sort(wanted, {}, &Wanted::frame);
    Progress progress(wanted.size(), tell);
    for (const Wanted &next : wanted) {
      progress.at(static_cast<size_t>(&next - wanted.data()));
      if (known_.size() >= kMaxKnownFrames || (gives_up && gives_up())) return;
      if (known_.contains(next.frame)) continue;
      const auto &[pid, mark, address, is_return] = next.of;
      std::vector<StackFrame> functions = look_up_frames({pid, mark}, address, is_return);
      if (!user_.has_symbols(next.object)) continue;  // as memory of JIT compilers, whose names are the process's
      if (known_objects_.empty() || known_objects_.back() != next.object) known_objects_.push_back(next.object);
      known_.emplace(next.frame, std::move(functions));
    }
  }
}

uint64_t SystemSymbolizer::give_up(uint64_t bytes) { return user_.give_up(bytes); }

std::vector<StackFrame> SystemSymbolizer::user_frames(UserImage image, uint64_t address, bool is_return) {
  if (is_managed(address)) return managed_frames(pool_, address);
  if (!known_.empty())
    if (const std::optional<FileAddress> at = user_.file_address(image, address))
      if (const auto known = known_.find(known_frame(*at, is_return)); known != known_.end()) return known->second;
  return look_up_frames(image, address, is_return);
}

std::vector<StackFrame> SystemSymbolizer::look_up_frames(UserImage image, uint64_t address, bool is_return) {
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
