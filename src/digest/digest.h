// SPDX-License-Identifier: Apache-2.0
// A strong hash (BLAKE3) of what is given to it bit by bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace dtrace {

using DigestBytes = std::array<uint8_t, 32>;

class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest &) = delete;
  Digest &operator=(const Digest &) = delete;

  void bytes(const void *data, size_t size_bytes);
  /// Adds the length, then the text, so "ab", "c" differs from "a", "bc".
  void text(std::string_view text);
  void number(uint64_t value) { bytes(&value, sizeof value); }
  DigestBytes finish();

 private:
  struct State;
  void flush();

  std::unique_ptr<State> state_;
  std::array<char, 4096> waiting_;  // many small pieces are one call
  size_t waiting_bytes_ = 0;
};

DigestBytes digest_of(std::string_view text);

}  // namespace dtrace
