// SPDX-License-Identifier: Apache-2.0
// The variables of a program, as values in memory. What was never assigned reads as zeros.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "evaluator/memory.h"
#include "frontend/tree/tree.h"
#include "frontend/types/types.h"

namespace dtrace::evaluator {

class Variables {
 public:
  /// Both outlive this.
  Variables(const tree::Unit &unit, const TypeTable &types);

  /// `this` variables are new. `thread` says whose thread-local variables are meant: any number that no two threads
  /// have.
  void begin_firing(uint64_t thread);

  /// `this` variables of the firing that goes on after another one within it, ERROR's.
  std::vector<Storage> save_firing() const { return own_; }
  void restore_firing(const std::vector<Storage> &saved);

  /// Null: a thread-local variable that was not assigned yet.
  const Storage *find(tree::VarId variable) const;
  Storage &make(tree::VarId variable);
  /// A thread-local variable is freed; others cannot be.
  void remove(tree::VarId variable);

  /// Elements of an array, by the bytes of their keys.
  Storage *find_element(tree::VarId variable, const std::string &key);
  Storage &make_element(tree::VarId variable, const std::string &key);
  void remove_element(tree::VarId variable, const std::string &key);

 private:
  Storage empty(tree::VarId variable) const;
  /// The key with the thread, for arrays of thread-local variables.
  std::string full_key(tree::VarId variable, const std::string &key) const;

  const tree::Unit &unit_;
  const TypeTable &types_;
  uint64_t thread_ = 0;
  std::vector<Storage> own_;  // by number; of globals and `this` variables
  std::map<std::pair<uint64_t, uint32_t>, Storage> of_threads_;
  std::vector<std::unordered_map<std::string, Storage>> elements_;
};

}  // namespace dtrace::evaluator
