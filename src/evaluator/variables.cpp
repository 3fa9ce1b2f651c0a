// SPDX-License-Identifier: Apache-2.0
#include "evaluator/variables.h"

#include <algorithm>

namespace dtrace::evaluator {

Variables::Variables(const tree::Unit &unit, const TypeTable &types)
    : unit_(unit), types_(types), own_(unit.variables.size()), elements_(unit.variables.size()) {
  for (uint32_t i = 0; i < own_.size(); i++)
    if (!unit.variables[i].is_associative() && unit.variables[i].scope != Scope::kThread) own_[i] = empty({i});
}

Storage Variables::empty(tree::VarId variable) const {
  const tree::VariableInfo &info = unit_.variables[variable.value];
  Storage storage{.bytes = std::vector<std::byte>(std::max<uint64_t>(types_.size_bytes(info.type), 1))};
  storage.is_null = types_.is_string(info.type) && info.scope == Scope::kThread;
  return storage;
}

void Variables::begin_firing(uint64_t thread) {
  thread_ = thread;
  for (uint32_t i = 0; i < own_.size(); i++) {
    if (unit_.variables[i].scope != Scope::kClause || own_[i].bytes.empty()) continue;
    std::ranges::fill(own_[i].bytes, std::byte{});
    own_[i].is_null = false;
  }
}

void Variables::restore_firing(const std::vector<Storage> &saved) {
  for (uint32_t i = 0; i < own_.size(); i++)
    if (unit_.variables[i].scope == Scope::kClause) own_[i] = saved[i];
}

const Storage *Variables::find(tree::VarId variable) const {
  if (unit_.variables[variable.value].scope != Scope::kThread) return &own_[variable.value];
  const auto found = of_threads_.find({thread_, variable.value});
  return found == of_threads_.end() ? nullptr : &found->second;
}

Storage &Variables::make(tree::VarId variable) {
  if (unit_.variables[variable.value].scope != Scope::kThread) return own_[variable.value];
  const std::pair key{thread_, variable.value};
  const auto found = of_threads_.find(key);
  return found != of_threads_.end() ? found->second : of_threads_.emplace(key, empty(variable)).first->second;
}

void Variables::remove(tree::VarId variable) { of_threads_.erase({thread_, variable.value}); }

std::string Variables::full_key(tree::VarId variable, const std::string &key) const {
  if (unit_.variables[variable.value].scope != Scope::kThread) return key;
  return key + std::string(reinterpret_cast<const char *>(&thread_), sizeof thread_);
}

Storage *Variables::find_element(tree::VarId variable, const std::string &key) {
  auto &elements = elements_[variable.value];
  const auto found = elements.find(full_key(variable, key));
  return found == elements.end() ? nullptr : &found->second;
}

Storage &Variables::make_element(tree::VarId variable, const std::string &key) {
  const auto [element, is_new] = elements_[variable.value].try_emplace(full_key(variable, key));
  if (is_new) element->second = empty(variable);
  element->second.is_null = false;
  return element->second;
}

void Variables::remove_element(tree::VarId variable, const std::string &key) {
  elements_[variable.value].erase(full_key(variable, key));
}

}  // namespace dtrace::evaluator
