// SPDX-License-Identifier: Apache-2.0
// Kernel symbols of a recording: those that its programs named.
#pragma once

#include "frontend/lang/symbols.h"
#include "recording/reader.h"

namespace dtrace::replay {

class FileSymbols final : public SymbolSource {
 public:
  /// `recording` outlives this.
  explicit FileSymbols(const recording::Reader &recording) : recording_(recording) {}
  std::variant<Found, Failure> find(std::string_view module, std::string_view name, TypeTable &types) override;

 private:
  const recording::Reader &recording_;
};

}  // namespace dtrace::replay
