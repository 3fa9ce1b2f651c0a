// SPDX-License-Identifier: Apache-2.0
// The tables in which HotSpot, the Java virtual machine, describes its own structures: gHotSpotVMStructs and
// gHotSpotVMTypes. Nothing in them is believed: counts and lengths have limits, and what is not there is left out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/foreign/process_memory.h"

namespace dtrace::runtime {

class VmStructs {
 public:
  /// The address in the process of a variable that the machine's library exports.
  using FindSymbol = std::function<std::optional<uint64_t>(std::string_view name)>;

  /// Reads the tables. Errors: they are not there, not filled in yet, or of a form that is not known.
  static Result<VmStructs> read(CachedPages &memory, const FindSymbol &find);

  struct Field {
    std::string type;  ///< as C++ has it
    bool is_static = false;
    uint64_t value = 0;  ///< offset in the structure; of a static one its address in the process
  };
  /// `name`: "Structure.field". Nullptr: there is none.
  const Field *field(std::string_view name) const;
  /// The offset of a field that is not static.
  std::optional<uint64_t> offset(std::string_view name) const;
  /// The address of a static field.
  std::optional<uint64_t> address(std::string_view name) const;
  /// The size of a type in bytes.
  std::optional<uint64_t> size_of(std::string_view type) const;

 private:
  std::map<std::string, Field, std::less<>> fields_;
  std::map<std::string, uint64_t, std::less<>> sizes_;
};

}  // namespace dtrace::runtime
