// SPDX-License-Identifier: Apache-2.0
// BTF as bytes. What a reader would get wrong: create() proves that every type record and every name lies inside its
// section, and nothing more; type ids and member names inside records are checked where they are read.
// Source: Documentation/bpf/btf.rst of the kernel.
#include "frontend/types/btf.h"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <cstring>

#include "frontend/types/btf_names.h"

namespace dtrace {
namespace {

constexpr uint16_t kMagic = 0xeb9f;
constexpr uint16_t kMagicSwapped = 0x9feb;
constexpr uint32_t kHeaderBytes = 24;            // first version: up to str_len
constexpr uint32_t kHeaderWithLayoutBytes = 32;  // with layout_off, layout_len
constexpr uint32_t kRecordBytes = 12;            // struct btf_type
constexpr uint32_t kKindMask = 0x7f;
constexpr uint32_t kVlenMask = 0xffffff;
constexpr size_t kKinds = 128;

/// Unaligned little-endian reads: the blob comes from a file and owes us no alignment.
template <typename T>
T load(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}
uint32_t load_u32(const std::byte *at) { return load<uint32_t>(at); }

/// What follows struct btf_type, per kind, and whether find() knows such types by name.
struct KindShape {
  uint8_t fixed_bytes = 0;
  uint8_t item_bytes = 0;
  bool known = false;
  bool named_type = false;
};
using KindShapes = std::array<KindShape, kKinds>;

constexpr KindShapes known_shapes() {
  using Kind = BtfIndex::Kind;
  KindShapes shapes{};
  auto set = [&shapes](Kind kind, uint8_t fixed_bytes, uint8_t item_bytes, bool named_type) {
    shapes[static_cast<size_t>(kind)] = {fixed_bytes, item_bytes, true, named_type};
  };
  set(Kind::kInt, 4, 0, true);
  set(Kind::kPtr, 0, 0, false);
  set(Kind::kArray, 12, 0, false);
  set(Kind::kStruct, 0, 12, true);
  set(Kind::kUnion, 0, 12, true);
  set(Kind::kEnum, 0, 8, true);
  set(Kind::kFwd, 0, 0, true);
  set(Kind::kTypedef, 0, 0, true);
  set(Kind::kVolatile, 0, 0, false);
  set(Kind::kConst, 0, 0, false);
  set(Kind::kRestrict, 0, 0, false);
  set(Kind::kFunc, 0, 0, false);  // vlen holds the linkage
  set(Kind::kFuncProto, 0, 8, false);
  set(Kind::kVar, 4, 0, false);
  set(Kind::kDatasec, 0, 12, false);
  set(Kind::kFloat, 0, 0, true);
  set(Kind::kDeclTag, 4, 0, false);
  set(Kind::kTypeTag, 0, 0, false);
  set(Kind::kEnum64, 0, 12, true);
  return shapes;
}
constexpr KindShapes kKnownShapes = known_shapes();

/// Sizes of kinds newer than this file, from the blob's own layout section. Releases differ in the size of an entry (2
/// or 4 bytes), so it is taken from the entries of kinds whose shape is known.
void add_described_kinds(std::span<const std::byte> section, KindShapes &shapes) {
  for (size_t stride : {4U, 2U}) {
    const size_t count = std::min(section.size() / stride, kKinds);
    bool fits = count > static_cast<size_t>(BtfIndex::Kind::kFuncProto);
    for (size_t kind = 1; fits && kind <= static_cast<size_t>(BtfIndex::Kind::kFuncProto); ++kind) {
      fits = load<uint8_t>(&section[kind * stride]) == shapes[kind].fixed_bytes &&
             load<uint8_t>(&section[kind * stride + 1]) == shapes[kind].item_bytes;
    }
    if (!fits) continue;
    for (size_t kind = 0; kind < count; ++kind) {
      if (shapes[kind].known) continue;
      shapes[kind] = {load<uint8_t>(&section[kind * stride]), load<uint8_t>(&section[kind * stride + 1]), true, false};
    }
    return;
  }
}

bool in_bounds(uint64_t off_bytes, uint64_t len_bytes, uint64_t size_bytes) {
  return off_bytes <= size_bytes && len_bytes <= size_bytes - off_bytes;
}

}  // namespace

struct BtfIndex::Impl {
  std::string module;
  std::span<const std::byte> bytes;
  const BtfIndex *base = nullptr;
  const std::byte *types = nullptr;
  const char *strings = nullptr;
  uint32_t types_bytes = 0;
  uint32_t strings_bytes = 0;
  uint64_t base_strings_bytes = 0;  // name offsets below this are the base's
  uint32_t first_id = 1;
  uint32_t count = 0;
  KindShapes shapes = kKnownShapes;
  std::unique_ptr<uint32_t[]> offsets;  // [count] of the records in `types`
  std::unique_ptr<uint32_t[]> named;    // [named_count] indexes of the types that find() knows, ascending
  uint32_t named_count = 0;
  mutable BtfNameTable type_names;    // over `named`
  mutable BtfNameTable symbol_names;  // functions and variables
  mutable BtfNameTable enumerator_names;

  uint64_t strings_end() const { return base_strings_bytes + strings_bytes; }

  std::string_view string_at(uint32_t off_bytes) const {
    if (off_bytes < base_strings_bytes) return base->impl_->string_at(off_bytes);
    if (off_bytes >= strings_end()) return {};
    return strings + (off_bytes - base_strings_bytes);
  }
  const std::byte *at(uint32_t index) const { return types + offsets[index]; }
  std::string_view name_of(uint32_t index) const { return string_at(load_u32(at(index))); }
  Kind kind_of(uint32_t index) const { return static_cast<Kind>((load_u32(at(index) + 4) >> 24) & kKindMask); }
  uint32_t vlen_of(uint32_t index) const { return load_u32(at(index) + 4) & kVlenMask; }

  Result<Unit> read_header(std::span<const std::byte> bytes);
  Result<Unit> index_types();
  Error type_error(uint32_t pos_bytes) const;
  const BtfNameTable &types_by_name() const;
  const BtfNameTable &symbols_by_name() const;
  const BtfNameTable &enumerators_by_name() const;
  RawEnumerator enumerator_at(uint32_t index, uint32_t item) const;
};

Result<Unit> BtfIndex::Impl::read_header(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderBytes) return Error("not BTF: shorter than its header");
  const auto magic = load<uint16_t>(&bytes[0]);
  if (magic == kMagicSwapped) return Error("big-endian BTF: only little-endian kernels are supported");
  if (magic != kMagic) return Error("not BTF: no magic number");
  if (const auto version = load<uint8_t>(&bytes[2]); version != 1) {
    return Error(fmt::format("BTF of unknown version {}", version));
  }
  const uint32_t header_bytes = load_u32(&bytes[4]);
  if (header_bytes < kHeaderBytes || header_bytes > bytes.size()) return Error("malformed BTF: bad header length");
  const uint64_t body_bytes = bytes.size() - header_bytes;
  const uint32_t type_off = load_u32(&bytes[8]);
  const uint32_t type_len = load_u32(&bytes[12]);
  const uint32_t str_off = load_u32(&bytes[16]);
  const uint32_t str_len = load_u32(&bytes[20]);
  if (!in_bounds(type_off, type_len, body_bytes)) return Error("malformed BTF: types lie outside of it");
  if (!in_bounds(str_off, str_len, body_bytes)) return Error("malformed BTF: names lie outside of it");

  types = bytes.data() + header_bytes + type_off;
  types_bytes = type_len;
  strings = reinterpret_cast<const char *>(bytes.data()) + header_bytes + str_off;
  strings_bytes = str_len;
  // Split BTF may have no names of its own; otherwise the section ends every name in it.
  const bool may_be_empty = base != nullptr && str_len == 0;
  if (!may_be_empty && (str_len == 0 || strings[str_len - 1] != '\0')) {
    return Error("malformed BTF: names do not end with NUL");
  }
  if (base == nullptr && strings[0] != '\0') return Error("malformed BTF: first name is not empty");

  if (header_bytes >= kHeaderWithLayoutBytes) {
    const uint32_t layout_off = load_u32(&bytes[24]);
    const uint32_t layout_len = load_u32(&bytes[28]);
    if (layout_len > 0 && in_bounds(layout_off, layout_len, body_bytes)) {
      add_described_kinds(bytes.subspan(header_bytes + layout_off, layout_len), shapes);
    }
  }
  return ok();
}

/// The story of the first bad record, which begins at `pos_bytes`: only told, never on the fast path.
Error BtfIndex::Impl::type_error(uint32_t pos_bytes) const {
  const uint64_t id = uint64_t{first_id} + count;
  if (types_bytes - pos_bytes < kRecordBytes) return Error(fmt::format("malformed BTF: type {} is cut off", id));
  const uint32_t kind = (load_u32(types + pos_bytes + 4) >> 24) & kKindMask;
  if (!shapes[kind].known) return Error(fmt::format("BTF type {} is of unknown kind {}", id, kind));
  if (load_u32(types + pos_bytes) >= strings_end())
    return Error(fmt::format("malformed BTF: type {} has a bad name", id));
  return Error(fmt::format("malformed BTF: type {} is cut off", id));
}

Result<Unit> BtfIndex::Impl::index_types() {
  // Upper bound of the number of types. Memory that is not written is not touched.
  const uint32_t most = types_bytes / kRecordBytes;
  offsets.reset(new uint32_t[most + 1]);
  named.reset(new uint32_t[most + 1]);
  const uint64_t names_end = strings_end();
  const std::byte *const begin = types;
  const uint32_t end = types_bytes;

  uint32_t pos = 0;
  uint32_t n = 0;
  uint32_t nr_named = 0;
  while (end - pos >= kRecordBytes) {
    const uint32_t name_off = load_u32(begin + pos);
    const uint32_t info = load_u32(begin + pos + 4);
    const KindShape shape = shapes[(info >> 24) & kKindMask];
    const uint64_t size = kRecordBytes + shape.fixed_bytes + uint64_t{shape.item_bytes} * (info & kVlenMask);
    if (!shape.known || size > end - pos || name_off >= names_end) break;
    offsets[n] = pos;
    named[nr_named] = n;
    nr_named += static_cast<uint32_t>(shape.named_type && name_off != 0);
    ++n;
    pos += static_cast<uint32_t>(size);
  }
  count = n;
  named_count = nr_named;
  if (pos != end) return type_error(pos);
  return ok();
}

Result<std::unique_ptr<BtfIndex>> BtfIndex::create(std::span<const std::byte> bytes, std::string module,
                                                   const BtfIndex *base) {
  std::unique_ptr<BtfIndex> index(new BtfIndex);
  Impl &impl = *index->impl_;
  impl.module = std::move(module);
  impl.bytes = bytes;
  if (base != nullptr) {
    impl.base = base;
    impl.base_strings_bytes = base->impl_->strings_end();
    impl.first_id = base->last_id() + 1;
  }
  if (Result<Unit> r = impl.read_header(bytes); !r) return std::move(r).error().during(impl.module);
  if (Result<Unit> r = impl.index_types(); !r) return std::move(r).error().during(impl.module);
  return index;
}

BtfIndex::BtfIndex() : impl_(std::make_unique<Impl>()) {}
BtfIndex::~BtfIndex() = default;

std::string_view BtfIndex::module() const { return impl_->module; }
std::span<const std::byte> BtfIndex::bytes() const { return impl_->bytes; }
const BtfIndex *BtfIndex::base() const { return impl_->base; }
uint32_t BtfIndex::first_id() const { return impl_->first_id; }
uint32_t BtfIndex::last_id() const { return impl_->first_id + impl_->count - 1; }

std::optional<BtfIndex::Record> BtfIndex::record(uint32_t id) const {
  const Impl &impl = *impl_;
  if (id < impl.first_id) return impl.base != nullptr ? impl.base->record(id) : std::nullopt;
  const uint32_t index = id - impl.first_id;
  if (index >= impl.count) return std::nullopt;
  const std::byte *at = impl.at(index);
  const uint32_t info = load_u32(at + 4);
  const uint32_t kind = (info >> 24) & kKindMask;
  Record record;
  record.kind = kind <= static_cast<uint32_t>(Kind::kEnum64) ? static_cast<Kind>(kind) : Kind::kUnknown;
  record.name = impl.string_at(load_u32(at));
  record.kind_flag = (info >> 31) != 0;
  record.size_or_type = load_u32(at + 8);
  record.vlen = info & kVlenMask;
  record.data = at + kRecordBytes;
  return record;
}

std::optional<BtfIndex::RawInt> BtfIndex::integer(uint32_t id) const {
  const std::optional<Record> rec = record(id);
  if (!rec || rec->kind != Kind::kInt) return std::nullopt;
  const uint32_t word = load_u32(rec->data);
  const uint32_t encoding = (word >> 24) & 0xf;
  return RawInt{static_cast<uint8_t>(word & 0xff), static_cast<uint8_t>((word >> 16) & 0xff), (encoding & 1) != 0,
                (encoding & 2) != 0, (encoding & 4) != 0};
}

std::vector<BtfIndex::RawMember> BtfIndex::members(uint32_t id) const {
  std::vector<RawMember> members;
  const std::optional<Record> rec = record(id);
  if (!rec || (rec->kind != Kind::kStruct && rec->kind != Kind::kUnion)) return members;
  members.reserve(rec->vlen);
  for (uint32_t i = 0; i < rec->vlen; ++i) {
    const std::byte *at = rec->data + size_t{i} * 12;
    RawMember member{impl_->string_at(load_u32(at)), load_u32(at + 4), load_u32(at + 8), 0};
    if (rec->kind_flag) {
      member.bits = member.off_bits >> 24;
      member.off_bits &= 0xffffff;
    } else if (const std::optional<RawInt> raw = integer(member.type); raw) {
      // The oldest form of a bit-field: an integer type of its own that is narrower than its storage.
      const std::optional<Record> storage = record(member.type);
      if (raw->offset != 0 || raw->bits != uint64_t{storage->size_or_type} * 8) {
        member.bits = raw->bits;
        member.off_bits += raw->offset;
      }
    }
    members.push_back(member);
  }
  return members;
}

BtfIndex::RawEnumerator BtfIndex::Impl::enumerator_at(uint32_t index, uint32_t item) const {
  const std::byte *at = this->at(index) + kRecordBytes;
  const bool is_signed = (load_u32(this->at(index) + 4) >> 31) != 0;
  if (kind_of(index) == Kind::kEnum64) {
    at += size_t{item} * 12;
    const uint64_t value = load_u32(at + 4) | uint64_t{load_u32(at + 8)} << 32;
    return {string_at(load_u32(at)), static_cast<int64_t>(value)};
  }
  at += size_t{item} * 8;
  const uint32_t value = load_u32(at + 4);
  return {string_at(load_u32(at)), is_signed ? int64_t{static_cast<int32_t>(value)} : int64_t{value}};
}

std::vector<BtfIndex::RawEnumerator> BtfIndex::enumerators(uint32_t id) const {
  if (id < impl_->first_id) return impl_->base != nullptr ? impl_->base->enumerators(id) : std::vector<RawEnumerator>{};
  std::vector<RawEnumerator> enumerators;
  const std::optional<Record> rec = record(id);
  if (!rec || (rec->kind != Kind::kEnum && rec->kind != Kind::kEnum64)) return enumerators;
  enumerators.reserve(rec->vlen);
  for (uint32_t i = 0; i < rec->vlen; ++i) enumerators.push_back(impl_->enumerator_at(id - impl_->first_id, i));
  return enumerators;
}

std::vector<BtfIndex::RawParam> BtfIndex::params(uint32_t func_proto_id) const {
  std::vector<RawParam> params;
  const std::optional<Record> rec = record(func_proto_id);
  if (!rec || rec->kind != Kind::kFuncProto) return params;
  params.reserve(rec->vlen);
  for (uint32_t i = 0; i < rec->vlen; ++i) {
    const std::byte *at = rec->data + size_t{i} * 8;
    params.push_back({impl_->string_at(load_u32(at)), load_u32(at + 4)});
  }
  return params;
}

std::optional<std::pair<uint32_t, uint32_t>> BtfIndex::array(uint32_t id) const {
  const std::optional<Record> rec = record(id);
  if (!rec || rec->kind != Kind::kArray) return std::nullopt;
  return std::pair(load_u32(rec->data), load_u32(rec->data + 8));
}

const BtfNameTable &BtfIndex::Impl::types_by_name() const {
  if (type_names.built()) return type_names;
  type_names.reserve(named_count);
  for (uint32_t i = 0; i < named_count; ++i) type_names.add(name_of(named[i]), named[i]);
  return type_names;
}

const BtfNameTable &BtfIndex::Impl::symbols_by_name() const {
  if (symbol_names.built()) return symbol_names;
  auto is_symbol = [this](uint32_t index) { return kind_of(index) == Kind::kFunc || kind_of(index) == Kind::kVar; };
  uint32_t total = 0;
  for (uint32_t i = 0; i < count; ++i) total += static_cast<uint32_t>(is_symbol(i));
  symbol_names.reserve(total);
  for (uint32_t i = 0; i < count; ++i) {
    if (is_symbol(i)) symbol_names.add(name_of(i), i);
  }
  return symbol_names;
}

const BtfNameTable &BtfIndex::Impl::enumerators_by_name() const {
  if (enumerator_names.built()) return enumerator_names;
  auto is_enum = [this](uint32_t index) { return kind_of(index) == Kind::kEnum || kind_of(index) == Kind::kEnum64; };
  uint32_t total = 0;
  for (uint32_t i = 0; i < count; ++i) total += is_enum(i) ? vlen_of(i) : 0;
  enumerator_names.reserve(total);
  for (uint32_t i = 0; i < count; ++i) {
    if (!is_enum(i)) continue;
    const uint32_t vlen = vlen_of(i);
    for (uint32_t item = 0; item < vlen; ++item) enumerator_names.add(enumerator_at(i, item).name, i);
  }
  return enumerator_names;
}

std::optional<uint32_t> BtfIndex::find(std::string_view name, Kind kind) const {
  if (name.empty()) return std::nullopt;
  const Impl &impl = *impl_;
  const bool symbol = kind == Kind::kFunc || kind == Kind::kVar;
  if (!symbol && !impl.shapes[static_cast<size_t>(kind)].named_type) return std::nullopt;
  const BtfNameTable &table = symbol ? impl.symbols_by_name() : impl.types_by_name();
  const std::optional<uint32_t> index =
      table.find(name, [&](uint32_t i) { return impl.kind_of(i) == kind && impl.name_of(i) == name; });
  if (!index) return std::nullopt;
  return impl.first_id + *index;
}

std::optional<std::pair<uint32_t, int64_t>> BtfIndex::find_enumerator(std::string_view name) const {
  if (name.empty()) return std::nullopt;
  const Impl &impl = *impl_;
  int64_t value = 0;
  const std::optional<uint32_t> index = impl.enumerators_by_name().find(name, [&](uint32_t i) {
    const uint32_t vlen = impl.vlen_of(i);
    for (uint32_t item = 0; item < vlen; ++item) {
      const RawEnumerator e = impl.enumerator_at(i, item);
      if (e.name == name) {
        value = e.value;
        return true;
      }
    }
    return false;
  });
  if (!index) return std::nullopt;
  return std::pair(impl.first_id + *index, value);
}

std::vector<std::pair<uint32_t, std::string_view>> BtfIndex::typedefs_with_prefix(std::string_view prefix) const {
  std::vector<std::pair<uint32_t, std::string_view>> found;
  for (uint32_t i = 0; i < impl_->named_count; ++i) {
    const uint32_t index = impl_->named[i];
    if (impl_->kind_of(index) != Kind::kTypedef) continue;
    const std::string_view name = impl_->name_of(index);
    if (name.starts_with(prefix)) found.emplace_back(impl_->first_id + index, name);
  }
  return found;
}

}  // namespace dtrace
