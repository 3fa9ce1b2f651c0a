// SPDX-License-Identifier: Apache-2.0
#include "runtime/usdt/probe_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "base/printable.h"
#include "runtime/foreign/process_maps.h"
#include "runtime/symbols/elf_symbols.h"
#include "runtime/usdt/debug_file.h"
#include "runtime/usdt/dwarf_layout.h"
#include "runtime/usdt/note_layout.h"
#include "runtime/usdt/stub_calls.h"
#include "usdt/registers.h"

namespace dtrace::runtime {
namespace {

bool operator==(const usdt::Probe &a, const usdt::Probe &b) {
  const auto same_type = [](const auto &x, const auto &y) { return x.type == y.type; };
  return std::equal(a.native.begin(), a.native.end(), b.native.begin(), b.native.end(), same_type) &&
         std::equal(a.translated.begin(), a.translated.end(), b.translated.begin(), b.translated.end(),
                    [](const auto &x, const auto &y) { return x.type == y.type && x.native == y.native; });
}

struct OperandOrder {
  static auto fields(const UserOperand &o) {
    return std::tie(o.kind, o.size_bytes, o.is_signed, o.is_float, o.scale, o.shift_bits, o.base, o.index,
                    o.is_index_narrow, o.is_index_signed, o.is_narrow, o.displacement, o.reason);
  }
  bool operator()(const std::vector<UserOperand> &a, const std::vector<UserOperand> &b) const {
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const UserOperand &x, const UserOperand &y) { return fields(x) < fields(y); });
  }
};

/// No process can execute a page of such a file: it has been truncated.
bool is_empty(const UserFile &file) {
  struct stat info{};
  return fstat(file.fd.get(), &info) == 0 && info.st_size == 0;
}

}  // namespace

Result<std::unique_ptr<ProbeFile>> ProbeFile::read(std::shared_ptr<const UserFile> file, pid_t pid) {
  const usdt::FileSource source(file->fd.get());
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  const auto not_known = [path = printable(file->path)](const std::string &why) {
    return Error(fmt::format("{}: its static probes are not known: {}", path, why));
  };
  if (!elf && usdt::ElfFile::claims_to_be_program(source)) return not_known(elf.error().text());
  if (!elf && is_empty(*file)) return not_known("it is empty");
  if (!elf) return std::unique_ptr<ProbeFile>();
  if (elf->has_unread_names()) return not_known("the names of its sections cannot be read");
  if (!usdt::has_probe_notes(*elf)) return std::unique_ptr<ProbeFile>();
  std::unique_ptr<ProbeFile> result(new ProbeFile(std::move(file), pid));
  result->notes_ = usdt::read_notes(*elf);
  if (!result->notes_.refused.empty()) return not_known(result->notes_.refused);
  // One that has none that can be read has lost them all.
  if (result->notes_.sites.empty() && !result->notes_.cut.empty()) return not_known(result->notes_.cut);
  result->machine_ = elf->machine();
  replace_stubs(result->notes_, result->machine_, result->file_);
  for (const usdt::SiteNote &site : result->notes_.sites) result->providers_.insert(site.provider);
  if (result->providers_.empty()) return std::unique_ptr<ProbeFile>();
  // Folded functions: probes that share an instruction must share the counter, or the kernel refuses the second.
  std::map<uint64_t, uint64_t> counters;
  for (usdt::SiteNote &site : result->notes_.sites)
    site.semaphore_offset = counters.try_emplace(site.code_offset, site.semaphore_offset).first->second;
  result->merge_declarations();
  return result;
}

ProbeFile::ProbeFile(std::shared_ptr<const UserFile> file, pid_t pid)
    : file_(std::move(file)), pid_(pid), module_(printable(object_name(file_->path))) {}

std::string ProbeFile::damage() const {
  if (notes_.cut.empty()) return {};
  return fmt::format("{}: it may have more static probes than are known: {}", printable(file_->path), notes_.cut);
}

void ProbeFile::merge_declarations() {
  for (const usdt::Provider &provider : notes_.providers) {
    for (const usdt::Probe &probe : provider.probes) {
      const std::pair key(provider.name, usdt::probe_name(probe.name));
      const auto [known, is_new] = declarations_.try_emplace(key, probe);
      if (!is_new && !(known->second == probe)) contradictions_.insert(key);
    }
  }
}

const usdt::Probe *ProbeFile::declaration(std::string_view provider, std::string_view name) const {
  const std::pair key{std::string(provider), std::string(name)};
  const auto found = declarations_.find(key);
  return found == declarations_.end() || contradictions_.contains(key) ? nullptr : &found->second;
}

const usdt::Provider *ProbeFile::declared_provider(std::string_view provider) const {
  const auto found = std::find_if(notes_.providers.begin(), notes_.providers.end(),
                                  [&](const usdt::Provider &p) { return p.name == provider; });
  return found == notes_.providers.end() ? nullptr : &*found;
}

const std::vector<FileProbe> &ProbeFile::probes(const std::string &provider) {
  if (probes_) return (*probes_)[provider];
  probes_.emplace();
  const Result<ElfSymbols> symbols = ElfSymbols::read(file_->fd.get(), file_->path);
  std::map<std::tuple<std::string_view, std::string, std::string_view>, size_t> known;
  for (uint32_t i = 0; i < notes_.sites.size(); ++i) {
    const usdt::SiteNote &site = notes_.sites[i];
    std::string function = site.function;
    if (function.empty() && symbols)
      if (const std::optional<ElfLocation> place =
              symbols->by_address(site.function_pc != 0 ? site.function_pc : site.pc))
        function = place->symbol.name;
    std::vector<FileProbe> &probes = (*probes_)[site.provider];
    const auto [entry, is_new] = known.try_emplace({site.provider, function, site.probe}, probes.size());
    if (is_new) probes.push_back({site.provider, function, site.probe, {}});
    probes[entry->second].sites.push_back(i);
  }
  return (*probes_)[provider];
}

std::optional<StructLayout> ProbeFile::layout(const FileProbe &probe, const std::string &type) {
  const auto [entry, is_new] = layouts_.try_emplace(type);
  if (!is_new) return entry->second;
  const usdt::FileSource source(file_->fd.get());
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  if (!elf) return std::nullopt;
  const uint64_t pc = probe.sites.empty() ? 0 : notes_.sites[probe.sites.front()].pc;
  std::optional<StructLayout> &layout = entry->second;
  const FilePlace place{pid_, file_->path};
  layout = dwarf_layout(*elf, type, pc, place);
  if (!layout && debug_file(*elf)) {
    const usdt::FileSource debug_source(debug_file_->get());
    if (const Result<usdt::ElfFile> debug = usdt::ElfFile::open(debug_source))
      layout = dwarf_layout(*debug, type, pc, place);
  }
  std::vector<std::string> definitions;
  for (const usdt::Provider &provider : notes_.providers)
    if (provider.name == probe.provider)
      definitions.insert(definitions.end(), provider.definitions.begin(), provider.definitions.end());
  if (!layout) layout = note_layout(definitions, type, elf->is_64bit());
  return layout;
}

bool ProbeFile::has_split_debug_information() {
  const usdt::FileSource source(file_->fd.get());
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  if (!elf) return false;
  if (has_split_units(*elf)) return true;
  const Fd &debug = debug_file(*elf);
  if (!debug) return false;
  const usdt::FileSource debug_source(debug.get());
  const Result<usdt::ElfFile> debug_elf = usdt::ElfFile::open(debug_source);
  return debug_elf && has_split_units(*debug_elf);
}

const Fd &ProbeFile::debug_file(const usdt::ElfFile &elf) {
  if (!debug_file_) debug_file_ = open_debug_file(elf, *file_, pid_);
  return *debug_file_;
}

void ProbeFile::find_symbols() {
  if (symbols_) return;
  symbols_.emplace();
  for (const usdt::SiteNote &site : notes_.sites) symbols_->want(usdt::parse_arguments(site.arguments, machine_));
  for (const usdt::TestNote &test : notes_.tests) symbols_->want(usdt::parse_arguments(test.arguments, machine_));
  if (!symbols_->wants_any()) return;
  const usdt::FileSource source(file_->fd.get());
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  if (!elf) return;
  const Fd &debug_fd = debug_file(*elf);
  const usdt::FileSource debug_source(debug_fd.get());
  std::optional<usdt::ElfFile> debug;
  if (debug_fd) {
    Result<usdt::ElfFile> opened = usdt::ElfFile::open(debug_source);
    if (opened) debug = std::move(*opened);
  }
  symbols_->find(*elf, debug ? &*debug : nullptr);
}

std::vector<UserSite> ProbeFile::sites(const FileProbe &probe, const Arrange &arrange,
                                       std::vector<std::vector<UserOperand>> &variants) {
  std::vector<UserSite> sites;
  find_symbols();
  const usdt::FileSource source(file_->fd.get());
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  if (!elf) return sites;
  const uint16_t stack_pointer = usdt::stack_pointer(machine_);
  std::unordered_set<uint64_t> offsets;
  std::map<std::vector<UserOperand>, size_t, OperandOrder> known;
  for (size_t i = 0; i < variants.size(); ++i) known.emplace(variants[i], i);
  for (const uint32_t number : probe.sites) {
    const usdt::SiteNote &note = notes_.sites[number];
    // Two notes of one probe at one instruction fire once.
    if (!offsets.insert(note.code_offset).second) continue;
    std::vector<UserOperand> operands =
        symbols_->resolve(usdt::parse_arguments(note.arguments, machine_), *elf, note.pc);
    for (UserOperand &operand : operands)
      if (operand.kind == UserOperand::Kind::kMemory && operand.base == stack_pointer)
        operand.displacement =
            static_cast<int64_t>(static_cast<uint64_t>(operand.displacement) + static_cast<uint64_t>(note.stack_bytes));
    operands = arrange(std::move(operands));
    const auto [variant, is_new] = known.try_emplace(std::move(operands), variants.size());
    if (is_new) variants.push_back(variant->first);
    UserSite site;
    site.file = file_;
    site.offset = note.code_offset;
    site.ref_ctr_offset = note.semaphore_offset;
    site.variant = static_cast<uint32_t>(variant->second);
    sites.push_back(std::move(site));
  }
  if (!sites.empty()) sites.front().tests = tests(probe, *elf);
  return sites;
}

/// Whichever function asks: it may call the one that has the probe. All probes of that name share the list, as a file
/// may have as many of either as it likes.
ProbeFile::Tests ProbeFile::tests(const FileProbe &probe, const usdt::ElfFile &elf) {
  if (!asking_) {
    asking_.emplace();
    for (uint32_t i = 0; i < notes_.tests.size(); ++i)
      (*asking_)[{notes_.tests[i].provider, notes_.tests[i].probe}].notes.push_back(i);
  }
  const auto found = asking_->find({probe.provider, probe.name});
  if (found == asking_->end()) return nullptr;
  Asking &asking = found->second;
  if (asking.tests) return asking.tests;
  std::vector<EnabledTest> tests;
  for (const uint32_t number : asking.notes) {
    const usdt::TestNote &note = notes_.tests[number];
    std::vector<UserOperand> operands =
        symbols_->resolve(usdt::parse_arguments(note.arguments, machine_), elf, note.pc);
    operands.resize(1);
    tests.push_back({note.code_offset, std::move(operands.front()), note.provider + ':' + note.probe});
  }
  asking.tests = std::make_shared<const std::vector<EnabledTest>>(std::move(tests));
  return asking.tests;
}

std::vector<UserOperand> ProbeFile::shape(const FileProbe &probe) {
  std::vector<UserOperand> shape;
  for (const uint32_t number : probe.sites) {
    const std::vector<usdt::SiteArgument> arguments = usdt::parse_arguments(notes_.sites[number].arguments, machine_);
    for (size_t i = 0; i < arguments.size(); ++i) {
      const auto size = static_cast<uint8_t>(std::min<uint64_t>(arguments[i].size_bytes, 8));
      if (i == shape.size()) {
        shape.emplace_back();
        shape[i].size_bytes = size;
        shape[i].is_float = arguments[i].is_float;
      }
      shape[i].size_bytes = std::max(shape[i].size_bytes, size);
      shape[i].is_float = shape[i].is_float && arguments[i].is_float;
      shape[i].is_signed |= arguments[i].is_signed;
      shape[i].is_narrow = machine_ == usdt::Machine::kI386;
    }
  }
  return shape;
}

}  // namespace dtrace::runtime
