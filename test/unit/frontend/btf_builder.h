// SPDX-License-Identifier: Apache-2.0
// Writes BTF for tests, one record a call; each returns the id of its type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "frontend/types/btf.h"

namespace dtrace::test {

class BtfBuilder {
 public:
  using Kind = BtfIndex::Kind;

  /// `base_last_id`, `base_strings_bytes`: for split BTF, where numbering goes on after the base.
  explicit BtfBuilder(uint32_t base_last_id = 0, uint32_t base_strings_bytes = 0)
      : next_id_(base_last_id + 1),
        base_strings_bytes_(base_strings_bytes),
        strings_(base_last_id == 0 ? 1 : 0, '\0') {}

  uint32_t name(const std::string &text) {
    if (text.empty()) return 0;
    const auto at = static_cast<uint32_t>(base_strings_bytes_ + strings_.size());
    strings_ += text;
    strings_ += '\0';
    return at;
  }
  uint32_t record(Kind kind, const std::string &text, uint32_t size_or_type, uint32_t vlen = 0,
                  bool kind_flag = false) {
    words({name(text), static_cast<uint32_t>(kind) << 24 | vlen | (kind_flag ? 1U << 31 : 0), size_or_type});
    return next_id_++;
  }
  void words(std::initializer_list<uint32_t> values) {
    for (uint32_t value : values) {
      const auto *bytes = reinterpret_cast<const char *>(&value);
      types_.append(bytes, sizeof(value));
    }
  }

  uint32_t integer(const std::string &text, uint32_t size_bytes, uint32_t encoding, uint32_t bits = 0,
                   uint32_t off = 0) {
    const uint32_t id = record(Kind::kInt, text, size_bytes);
    words({encoding << 24 | off << 16 | (bits == 0 ? size_bytes * 8 : bits)});
    return id;
  }
  uint32_t array(uint32_t element, uint32_t count) {
    const uint32_t id = record(Kind::kArray, "", 0);
    words({element, 0, count});
    return id;
  }
  struct Field {
    std::string text;
    uint32_t type;
    uint32_t off_bits;
    uint32_t bits = 0;
  };
  uint32_t aggregate(Kind kind, const std::string &text, uint32_t size_bytes, const std::vector<Field> &fields,
                     bool kind_flag = false) {
    const uint32_t id = record(kind, text, size_bytes, static_cast<uint32_t>(fields.size()), kind_flag);
    for (const Field &f : fields) words({name(f.text), f.type, kind_flag ? f.bits << 24 | f.off_bits : f.off_bits});
    return id;
  }

  uint32_t next_id() const { return next_id_; }
  uint32_t strings_bytes() const { return static_cast<uint32_t>(strings_.size()); }

  /// The blob; `layout` is the optional section that describes kinds, which needs the longer header.
  std::vector<std::byte> blob(const std::string &layout = {}) const {
    std::string out;
    auto put32 = [&out](size_t value) {
      const auto v = static_cast<uint32_t>(value);
      out.append(reinterpret_cast<const char *>(&v), 4);
    };
    out += "\x9f\xeb\x01";
    out += '\0';
    put32(layout.empty() ? 24 : 32);
    put32(0);
    put32(types_.size());
    put32(types_.size());
    put32(strings_.size());
    if (!layout.empty()) {
      put32(types_.size() + strings_.size());
      put32(layout.size());
    }
    out += types_ + strings_ + layout;
    std::vector<std::byte> bytes(out.size());
    std::memcpy(bytes.data(), out.data(), out.size());
    return bytes;
  }

 private:
  uint32_t next_id_;
  uint32_t base_strings_bytes_;
  std::string types_;
  std::string strings_;
};

}  // namespace dtrace::test
