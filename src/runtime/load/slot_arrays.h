// SPDX-License-Identifier: Apache-2.0
// Arrays of maps, in whose slots programs find what is made for each CPU. They exist before the object that uses them,
// so that their slots can be filled (which takes an RCU grace period) while its code is generated.
#pragma once

#include <bpf/bpf.h>

#include <cstdint>
#include <map>
#include <string>

#include "base/owned.h"
#include "base/result.h"

struct bpf_object;

namespace dtrace::runtime {

/// What the maps in the slots are like.
struct SlotShape {
  bpf_map_type type;
  uint32_t key_bytes = 0, value_bytes = 0;
  uint32_t entries = 1;  ///< of a ring: bytes; those in the slots may have others
  uint32_t flags = 0;
};

class SlotArrays {
 public:
  /// Makes the array that programs know by `map`.
  Result<Unit> make(const std::string &map, const SlotShape &shape, uint32_t nr_slots);
  /// Descriptor of the array, or -1: it was not made.
  int fd(const std::string &map) const;
  bool has(const std::string &map) const { return arrays_.contains(map); }
  /// The object, which is not loaded yet, uses these arrays for its maps of the same names.
  Result<Unit> give_to(bpf_object &object) const;

 private:
  std::map<std::string, Fd> arrays_;
};

}  // namespace dtrace::runtime
