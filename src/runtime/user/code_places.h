// SPDX-License-Identifier: Apache-2.0
// Instructions of a file by their addresses, for probes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/result.h"
#include "runtime/user/function_code.h"
#include "runtime/user/function_flow.h"
#include "runtime/user/pid_probes.h"

namespace dtrace::runtime {

class CodePlaces {
 public:
  explicit CodePlaces(std::shared_ptr<UserObject> object) : object_(std::move(object)) {}

  /// Errors: why no probe can be set there.
  Result<PidPlace> at(uint64_t address);
  /// The ways through the function that has the address; null: not all of its code is known. Until the next call.
  const FunctionFlow *flow_at(uint64_t address);

 private:
  bool decode(uint64_t address);

  std::shared_ptr<UserObject> object_;
  std::optional<UserFunction> function_;  // that of the last question: questions about one follow each other
  std::optional<FunctionCode> code_;
  std::optional<FunctionFlow> flow_;
};

}  // namespace dtrace::runtime
