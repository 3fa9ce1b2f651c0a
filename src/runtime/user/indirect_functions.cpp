// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/indirect_functions.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "arch/machine.h"
#include "base/foreign_limits.h"
#include "base/owned.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {
namespace {

/// One slot that the dynamic linker fills with a function's address.
struct Slot {
  uint64_t address = 0;   ///< in the file
  uint64_t resolver = 0;  ///< in the same file; 0: `name` says which function
  std::string name;
};

/// The name of each symbol of the file's dynamic table, by number.
std::vector<std::string> dynamic_names(const usdt::ElfFile &elf) {
  std::vector<std::string> names;
  if (const usdt::Section *table = elf.first_of(SHT_DYNSYM))
    elf.each_symbol(*table, [&](const usdt::RawSymbol &, std::string_view name) {
      // No resolver has a longer one; many symbols may share one name.
      constexpr size_t kMaxNameBytes = 256;
      names.emplace_back(name.size() <= kMaxNameBytes ? name : std::string_view());
      return names.size() < limits::kMaxImports;
    });
  return names;
}

/// The slots of a file of this machine.
std::vector<Slot> slots_of(int fd) {
  const arch::Machine &machine = arch::host_machine();
  std::vector<Slot> slots;
  const usdt::FileSource source(fd);
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  if (!elf || elf->machine_number() != machine.elf_machine) return slots;
  const std::vector<std::string> names = dynamic_names(*elf);
  size_t tables = 0;
  for (const usdt::Section &section : elf->sections()) {
    if (section.type != SHT_RELA || ++tables > limits::kMaxRelocationTables) continue;
    const bool has_names = section.link < elf->sections().size() && elf->sections()[section.link].type == SHT_DYNSYM;
    elf->each_relocation(section, [&](const usdt::Relocation &relocation) {
      if (slots.size() >= limits::kMaxImports) return;
      Slot slot{relocation.place, 0, {}};
      switch (machine.function_slot(relocation.type)) {
        case arch::FunctionSlot::kNone:
          return;
        case arch::FunctionSlot::kResolved:
          slot.resolver = static_cast<uint64_t>(relocation.addend);
          break;
        case arch::FunctionSlot::kFunction:
          if (!has_names || relocation.symbol >= names.size()) return;
          slot.name = names[relocation.symbol];
          break;
      }
      slots.push_back(std::move(slot));
    });
  }
  return slots;
}

std::optional<uint64_t> bias_of(const MappedObject &mapped) {
  const ElfSymbols *elf = mapped.object->symbols();
  return elf == nullptr ? std::nullopt : elf->load_bias(mapped.start, mapped.start_offset, true);
}

}  // namespace

std::map<uint64_t, std::set<uint64_t>> resolved_functions(pid_t pid, const std::vector<MappedObject> &objects,
                                                          const MappedObject &wanted) {
  std::map<uint64_t, std::set<uint64_t>> found;
  std::unordered_map<std::string_view, uint64_t> by_name;  // resolvers
  for (const UserFunction &function : wanted.object->functions())
    if (function.is_indirect())
      for (std::string_view name : function.names) by_name.emplace(name, function.address);
  const std::optional<uint64_t> home = bias_of(wanted);
  const Fd memory(open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDONLY | O_CLOEXEC));
  if (by_name.empty() || !home || !memory) return found;

  const ElfSymbols &elf = *wanted.object->symbols();
  for (const MappedObject &mapped : objects) {
    const std::optional<uint64_t> bias = bias_of(mapped);
    if (!bias) continue;
    for (const Slot &slot : slots_of(mapped.object->file()->fd.get())) {
      uint64_t resolver = slot.resolver;
      if (resolver == 0) {
        const auto known = by_name.find(slot.name);
        if (known == by_name.end()) continue;
        resolver = known->second;
      } else if (mapped.object != wanted.object) {
        continue;
      }
      uint64_t value = 0;
      if (pread(memory.get(), &value, sizeof value, static_cast<off_t>(*bias + slot.address)) != sizeof value) continue;
      const uint64_t address = value - *home;
      // A slot that nobody has called through yet holds the way to the linker, in the caller's own file.
      const bool inside = std::any_of(elf.segments().begin(), elf.segments().end(), [&](const ElfSegment &segment) {
        return segment.executable && address >= segment.address && address - segment.address < segment.file_bytes;
      });
      const bool own_table = mapped.object == wanted.object && slot.resolver == 0;
      if (inside && !own_table && address != resolver) found[resolver].insert(address);
    }
  }
  return found;
}

}  // namespace dtrace::runtime
