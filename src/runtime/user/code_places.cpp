// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/code_places.h"

namespace dtrace::runtime {

/// False: no symbol names the code.
bool CodePlaces::decode(uint64_t address) {
  const std::optional<UserFunction> function = object_->function_around(address);
  if (!function) return false;
  if (code_ && function->address == function_->address) return true;
  flow_.reset();
  function_ = function;
  code_.emplace(*object_, *function);
  return true;
}

Result<PidPlace> CodePlaces::at(uint64_t address) {
  if (!decode(address)) return Error("it is in code that no symbol names");
  PidPlace place{object_, *function_, address - function_->address};
  const Instruction *instruction = code_->at(place.offset);
  if (instruction == nullptr) return Error("no instruction begins where the debug information says");
  if (const std::string_view hazard = code_->hazard(*instruction); !hazard.empty()) return Error(std::string(hazard));
  return place;
}

const FunctionFlow *CodePlaces::flow_at(uint64_t address) {
  if (!decode(address) || !code_->complete()) return nullptr;
  if (!flow_) flow_.emplace(code_->instructions(), function_->address);
  return &*flow_;
}

}  // namespace dtrace::runtime
