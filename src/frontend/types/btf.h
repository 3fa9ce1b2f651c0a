// SPDX-License-Identifier: Apache-2.0
// An index over one BTF blob (kernel or module). Bytes in, answers out: no system calls; hostile bytes are refused,
// never trusted. Building it walks the types once; names are hashed on first lookup by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace dtrace {

class BtfIndex {
 public:
  /// In:     raw BTF (not ELF) of this machine's byte order.
  /// Errors: anything whose reading could leave `bytes`: a bad header, a type or a name that lies outside its section,
  /// a
  ///         kind of unknown size. Ids that types refer to are not checked here: record() is the check.
  /// Cost:   one pass, 4 bytes of memory a type.
  ///
  /// `bytes` must outlive the index. `base` is vmlinux for split (module) BTF, else null. `module` names it.
  static Result<std::unique_ptr<BtfIndex>> create(std::span<const std::byte> bytes, std::string module,
                                                  const BtfIndex *base = nullptr);
  ~BtfIndex();

  enum class Kind : uint8_t {  // values of the kernel's BTF_KIND_*
    kUnknown,
    kInt,
    kPtr,
    kArray,
    kStruct,
    kUnion,
    kEnum,
    kFwd,
    kTypedef,
    kVolatile,
    kConst,
    kRestrict,
    kFunc,
    kFuncProto,
    kVar,
    kDatasec,
    kFloat,
    kDeclTag,
    kTypeTag,
    kEnum64,
  };
  struct Record {
    Kind kind = Kind::kUnknown;
    std::string_view name;
    bool kind_flag = false;
    uint32_t size_or_type = 0;
    uint32_t vlen = 0;
    const std::byte *data = nullptr;  ///< what follows struct btf_type
  };
  struct RawMember {
    std::string_view name;
    uint32_t type;
    uint32_t off_bits;
    uint32_t bits;  ///< bit-field width, 0 if none
  };
  struct RawEnumerator {
    std::string_view name;
    int64_t value;
  };
  struct RawParam {
    std::string_view name;
    uint32_t type;  ///< 0 with an empty name: variadic
  };
  struct RawInt {
    uint8_t bits;
    uint8_t offset;
    bool is_signed, is_char, is_bool;
  };

  std::string_view module() const;
  std::span<const std::byte> bytes() const;  ///< what it is an index of
  const BtfIndex *base() const;              ///< vmlinux of split BTF, else null
  uint32_t first_id() const;                 ///< 1, or the base's count + ... for split BTF
  uint32_t last_id() const;
  std::optional<Record> record(uint32_t id) const;  ///< also of the base's ids
  std::vector<RawMember> members(uint32_t id) const;
  std::vector<RawEnumerator> enumerators(uint32_t id) const;
  std::vector<RawParam> params(uint32_t func_proto_id) const;
  std::optional<std::pair<uint32_t, uint32_t>> array(uint32_t id) const;  ///< element type, count
  std::optional<RawInt> integer(uint32_t id) const;

  // Lookups by name build their table on first use: not from two threads at once.

  /// First type of that name and kind (kInt, kFloat, kStruct, kUnion, kEnum, kEnum64, kFwd, kTypedef, kFunc, kVar;
  /// other kinds are not found by name). Only this blob's own types, not the base's.
  std::optional<uint32_t> find(std::string_view name, Kind kind) const;
  /// Enum type that has the enumerator, and its value; builds its table on first use.
  std::optional<std::pair<uint32_t, int64_t>> find_enumerator(std::string_view name) const;
  /// Ids and names of all typedefs whose name starts with `prefix` ("btf_trace_"), in id order.
  std::vector<std::pair<uint32_t, std::string_view>> typedefs_with_prefix(std::string_view prefix) const;

 private:
  BtfIndex();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dtrace
