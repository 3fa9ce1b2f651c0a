// SPDX-License-Identifier: Apache-2.0
// Where compiled objects are kept between runs, as the code generator sees it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dtrace {

/// A strong hash of everything that an object is made from.
using ObjectKey = std::array<uint8_t, 32>;

class ObjectStore {
 public:
  virtual ~ObjectStore() = default;
  /// What objects depend on beside the compiler's input: which build of dtrace, which kernel. Part of every key.
  virtual std::string_view identity() const = 0;
  /// Exactly the bytes that were kept under this key, by this user.
  virtual std::optional<std::string> find(const ObjectKey &key) = 0;
  /// May do nothing.
  virtual void keep(const ObjectKey &key, std::string_view entry) = 0;
};

/// How a compilation uses one.
struct StoreUse {
  ObjectStore *store = nullptr;  ///< null: not at all
  /// Compiles what was found as well: an object that differs is an internal error.
  bool check = false;
};

}  // namespace dtrace
