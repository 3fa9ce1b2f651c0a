// SPDX-License-Identifier: Apache-2.0
// Any bytes as a package of split debug information (.dwp): its index, the parts of its units, the base address that
// units are given, and what libdw makes of them.
#include <elfutils/libdw.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/foreign/dwarf_entry.h"
#include "runtime/foreign/dwarf_image.h"
#include "runtime/foreign/dwarf_package.h"
#include "runtime/foreign/split_base.h"

namespace {

using namespace dtrace;
using namespace dtrace::runtime;

constexpr size_t kMaxUnits = 8;
constexpr uint64_t kMaxBytes = 16 << 20;
constexpr unsigned kMaxDepth = 8;
constexpr uint16_t kMachine = 62;  // x86-64

size_t walk(Dwarf_Die *scope, DwarfBudget &budget, unsigned depth) {
  Dwarf_Die die;
  size_t sum = 0;
  if (depth == kMaxDepth || !first_child(scope, &die, budget)) return 0;
  do {
    Dwarf_Addr base = 0, start = 0, end = 0;
    sum += dwarf_name(&die).size();
    for (ptrdiff_t at = 0; budget.entries != 0 && (at = dwarf_ranges(&die, at, &base, &start, &end)) > 0;
         --budget.entries)
      sum += end - start;
    sum += walk(&die, budget, depth + 1);
  } while (next_sibling(&die, budget));
  return sum;
}

size_t ask(DwarfPackage &package, uint64_t id) {
  Result<std::vector<DwarfSection>> sections = package.unit(id, kMaxBytes);
  if (!sections) return sections.error().text().size();
  constexpr uint64_t kBase = 0x401000;
  std::vector<std::byte> addresses(4 * sizeof kBase);
  for (size_t i = 0; i < sizeof kBase; ++i) addresses[2 * sizeof kBase + i] = static_cast<std::byte>(kBase >> (8 * i));
  sections->push_back({".debug_addr", std::move(addresses)});
  size_t sum = state_split_base(*sections, id, kBase);
  const Result<DwarfImage> image = DwarfImage::of(*sections, kMachine);
  if (!image) return sum;
  DwarfBudget budget{20000, 20000};
  Dwarf_Die unit;
  for (Dwarf_CU *cu = nullptr;
       budget.entries != 0 && dwarf_get_units(image->get(), cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;) {
    --budget.entries;
    sum += walk(&unit, budget, 0);
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Fd file(memfd_create("fuzz", MFD_CLOEXEC));
  if (!file || write(file.get(), data, size) != static_cast<ssize_t>(size)) return 0;
  Result<std::unique_ptr<DwarfPackage>> package = DwarfPackage::open(std::move(file));
  size_t sum = 0;
  if (package)
    for (const uint64_t id : (*package)->ids(kMaxUnits)) sum += ask(**package, id);
  // Whatever came out of it must not be optimised away.
  return sum == SIZE_MAX ? 1 : 0;
}
