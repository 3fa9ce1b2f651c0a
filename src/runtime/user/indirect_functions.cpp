// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/indirect_functions.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/owned.h"

namespace dtrace {
namespace {

constexpr size_t kMostRelocations = 1 << 20;

/// One slot that the dynamic linker fills with a function's address.
struct Slot {
  uint64_t address = 0;   ///< in the file
  uint64_t resolver = 0;  ///< in the same file; 0: `name` says which function
  std::string name;
};

/// The slots of an x86-64 file. Nothing in it is believed: libelf checks that sections lie in the file.
std::vector<Slot> slots_of(int fd) {
  std::vector<Slot> slots;
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, int (*)(Elf *)> elf(elf_begin(fd, ELF_C_READ_MMAP, nullptr), elf_end);
  GElf_Ehdr header;
  if (elf == nullptr || gelf_getehdr(elf.get(), &header) == nullptr || header.e_machine != EM_X86_64) return slots;
  for (Elf_Scn *scn = nullptr; (scn = elf_nextscn(elf.get(), scn)) != nullptr;) {
    GElf_Shdr section;
    if (gelf_getshdr(scn, &section) == nullptr || section.sh_type != SHT_RELA || section.sh_entsize == 0) continue;
    Elf_Data *relocations = elf_getdata(scn, nullptr);
    Elf_Scn *symbol_scn = elf_getscn(elf.get(), section.sh_link);
    GElf_Shdr symbol_section{};
    Elf_Data *symbols = nullptr;
    if (symbol_scn != nullptr && gelf_getshdr(symbol_scn, &symbol_section) != nullptr &&
        symbol_section.sh_type == SHT_DYNSYM)
      symbols = elf_getdata(symbol_scn, nullptr);
    if (relocations == nullptr) continue;
    const size_t count = std::min<size_t>(section.sh_size / section.sh_entsize, kMostRelocations);
    for (size_t i = 0; i < count; i++) {
      GElf_Rela relocation;
      if (gelf_getrela(relocations, static_cast<int>(i), &relocation) == nullptr) break;
      const auto type = GELF_R_TYPE(relocation.r_info);
      Slot slot{relocation.r_offset, 0, {}};
      if (type == R_X86_64_IRELATIVE) {
        slot.resolver = static_cast<uint64_t>(relocation.r_addend);
      } else if (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT) {
        GElf_Sym symbol;
        if (symbols == nullptr ||
            gelf_getsym(symbols, static_cast<int>(GELF_R_SYM(relocation.r_info)), &symbol) == nullptr)
          continue;
        const char *name = elf_strptr(elf.get(), symbol_section.sh_link, symbol.st_name);
        if (name == nullptr) continue;
        slot.name = name;
      } else {
        continue;
      }
      slots.push_back(std::move(slot));
    }
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
    if (function.is_indirect)
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

}  // namespace dtrace
