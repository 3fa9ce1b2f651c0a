// SPDX-License-Identifier: Apache-2.0
// Any bytes as BTF: either refused, or every question about every type is answered without reading outside of them.
// The first two bytes choose where the blob is cut into a base and a split part, so that both kinds are met.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "frontend/types/btf.h"
#include "frontend/types/types.h"
#include "frontend/types/types_compat.h"

namespace {

using dtrace::BtfIndex;
using dtrace::TypeId;
using dtrace::TypeTable;

/// Results are added up here, so that no question can be optimised away.
volatile uint64_t sink;

constexpr uint32_t kMaxTypes = 2000;  // of one blob are asked about: keeps a run short

void ask_index(const BtfIndex &btf) {
  uint64_t sum = 0;
  for (uint32_t id = 0; id <= btf.last_id() + 1 && id < kMaxTypes; ++id) {
    const auto record = btf.record(id);
    if (!record) continue;
    sum += record->name.size() + record->vlen;
    for (const auto &m : btf.members(id)) sum += m.name.size() + m.off_bits;
    for (const auto &e : btf.enumerators(id)) sum += e.name.size() + static_cast<uint64_t>(e.value);
    for (const auto &p : btf.params(id)) sum += p.name.size() + p.type;
    if (const auto array = btf.array(id)) sum += array->second;
    if (const auto integer = btf.integer(id)) sum += integer->bits;
    sum += btf.find(record->name, record->kind).value_or(0);
    sum += btf.find_enumerator(record->name) ? 1 : 0;
  }
  sink = sink + sum + btf.typedefs_with_prefix("b").size();
}

void ask_types(TypeTable &types, const BtfIndex &btf) {
  uint64_t sum = 0;
  TypeId before;
  for (uint32_t id = 0; id <= btf.last_id() + 1 && id < kMaxTypes; ++id) {
    const TypeId type = types.from_btf(btf, id);
    sum += types.name(type).size() + types.size_bytes(type) + types.align_bytes(type);
    sum += types.members(type).size() + types.enumerators(type).size() + types.parameters(type).size();
    sum += types.find_member(type, "a") ? 1 : 0;
    sum += types.is_complete(type) + types.is_userland(type) + types.is_string_like(type);
    sum += dtrace::same_type(types, type, before) + dtrace::can_pass(types, type, before);
    sum += dtrace::can_compare(types, type, before) + dtrace::can_cast(types, before, type);
    sum += dtrace::pointer_step(types, type).value_or(0);
    if (const auto record = btf.record(id)) {
      sum += types.is_type_name(record->name);
      for (const auto kind : {dtrace::TagKind::kOrdinary, dtrace::TagKind::kStruct, dtrace::TagKind::kEnum}) {
        sum += types.find(kind, record->name) ? 1 : 0;
      }
    }
    before = type;
  }
  sink = sink + sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  // Copies of exact size: a read past the end is seen by the sanitizer.
  const size_t cut = (static_cast<size_t>(data[0]) << 8 | data[1]) % (size - 1);
  const auto *bytes = reinterpret_cast<const std::byte *>(data + 2);
  const std::vector<std::byte> first(bytes, bytes + (cut == 0 ? size - 2 : cut));
  const std::vector<std::byte> second(bytes + (cut == 0 ? 0 : cut), bytes + size - 2);

  auto base = BtfIndex::create(first, "vmlinux");
  if (!base) return 0;
  ask_index(**base);
  TypeTable types;
  types.add_btf(base->get());
  ask_types(types, **base);

  auto split = BtfIndex::create(second, "module", base->get());
  if (!split) return 0;
  ask_index(**split);
  types.add_btf(split->get());
  ask_types(types, **split);
  return 0;
}
