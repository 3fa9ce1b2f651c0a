// SPDX-License-Identifier: Apache-2.0
// What all emitters of one compilation share: its input, its layout, the object being made, and the maps and tables
// made on first use.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "codegen/clause/code_facts.h"
#include "codegen/llvm/object.h"
#include "codegen/planning/layout.h"
#include "codegen/planning/questions.h"
#include "codegen/planning/slot.h"

namespace dtrace::codegen {

/// Offsets of kernel structures' members, from BTF; nothing if BTF does not have them.
class KernelLayout {
 public:
  /// Notes in `asked` what it is asked.
  KernelLayout(const TypeTable &types, Questions &asked) : types_(types), asked_(asked) {}
  /// Offset in bytes of `member`, which may be a path ("se.sum_exec_runtime").
  std::optional<uint32_t> offset(const std::string &structure, const std::string &member) const;

 private:
  const TypeTable &types_;
  Questions &asked_;
  mutable std::map<std::pair<std::string, std::string>, std::optional<uint32_t>> known_;
};

class ClauseEmitter;
struct EmittedText;
struct Memory;

/// Calls of subroutines. Expressions emit them and they emit their arguments, so the room of subroutines hands these
/// functions down.
struct Subroutines {
  /// One that yields a scalar or nothing.
  llvm::Value *(*scalar)(ClauseEmitter &e, const tree::Call &call, const tree::Expr &expr);
  /// One that yields a string; `into` is where it should best be made.
  EmittedText (*text)(ClauseEmitter &e, const tree::Call &call, const tree::Expr &expr, const Memory *into);
};

/// How a program is divided into functions. Few large ones are faster, many small ones need less stack.
struct Division {
  unsigned part_instructions;  ///< a function of a clause gets no further statement beyond so many LLVM instructions
  bool clauses_apart;          ///< each clause is a function, unless the kernel stack must not show it
};

class Compilation {
 public:
  /// Notes in `asked` what it asks of the kernel's types; its host notes the rest.
  Compilation(const CompileInput &input, const Layout &layout, ObjectBuilder &object, const Subroutines &subroutines,
              const Division &division, Questions &asked);

  const CompileInput &input;
  const Layout &layout;
  CodeFacts facts;
  ObjectBuilder &object;
  const Subroutines &subroutines;
  const TypeTable &types;
  KernelLayout kernel;
  const Division division;
  /// There are so many statements that update an aggregation that what they share is called, not copied: the kernel
  /// replaces calls of helpers by instructions, each time moving all that follows.
  bool calls_for_updates = false;
  bool calls_for_long_keys = false;  ///< the same of keys that dt_agg_long() searches

  llvm::GlobalVariable *control();
  llvm::GlobalVariable *globals();
  llvm::GlobalVariable *thread_storage();
  llvm::GlobalVariable *drops();
  llvm::GlobalVariable *chills();
  llvm::GlobalVariable *names();         ///< struct dt_names by probe id
  llvm::GlobalVariable *operands();      ///< struct dt_operand by late variant and number
  llvm::GlobalVariable *cgroups();       ///< answers to comparisons with names of cgroups, struct dt_cgroup
  llvm::GlobalVariable *cgroup_names();  ///< struct dt_cgroup_names by cgroup id
  /// The bit of a comparison in a cgroup's entry; nothing: no bits are left.
  std::optional<uint32_t> cgroup_bit(Variable name, const std::string &text);
  llvm::GlobalVariable *running();  ///< programs that may sleep, by the bank that they use
  void define_path_layout();        ///< where the library finds the names of directories
  void define_pid_layout();         ///< where the library finds numbers of processes in a pid namespace
  /// The longest walk of a user stack by unwind rules that the program takes; 0: it takes none, or not by rules. If it
  /// does, unwind() can be called.
  uint32_t unwind_most();
  llvm::FunctionCallee unwind();
  llvm::GlobalVariable *speculations();
  llvm::GlobalVariable *aggregation(uint32_t index);  ///< the map of a keyed one
  llvm::GlobalVariable *totals();                     ///< values of those without keys
  llvm::GlobalVariable *array(uint32_t variable);
  llvm::GlobalVariable *logs();       ///< array of maps by CPU: the last records
  llvm::GlobalVariable *log_heads();  ///< which slot's turn it is

  // --- scratch
  llvm::GlobalVariable *scratch();  ///< the map; using it makes the plan say so
  llvm::Constant *slot_bytes();     ///< size of a slot, known at the end
  /// How many slots lie between one CPU's and the next one's, known at the end: none if the map is per CPU.
  llvm::Constant *slots_apart();
  void want_slot(uint32_t end_bytes);  ///< some clause uses a slot up to here
  /// Place in the slot of a string or structure of `this`; a firing of ERROR has its own.
  uint32_t this_offset(uint32_t variable, bool in_error);
  uint32_t token_offset();  ///< offset in the slot of strtok()'s text
  uint32_t this_end() const { return this_end_; }
  uint32_t slots_per_cpu() const;
  /// Fixes what was left open until all code exists.
  void finish();

 private:
  uint32_t find_unwind_layout();
  /// A map that aggregations or arrays share is made once.
  llvm::GlobalVariable *shared(const std::string &name, const MapShape &shape);
  llvm::GlobalVariable *once(llvm::GlobalVariable *&cell, const std::string &name, const MapShape &shape);

  llvm::GlobalVariable *globals_ = nullptr;
  llvm::GlobalVariable *thread_storage_ = nullptr;
  llvm::GlobalVariable *drops_ = nullptr;
  llvm::GlobalVariable *chills_ = nullptr;
  llvm::GlobalVariable *running_ = nullptr;
  llvm::GlobalVariable *names_ = nullptr;
  llvm::GlobalVariable *cgroups_ = nullptr;
  llvm::GlobalVariable *cgroup_names_ = nullptr;
  llvm::GlobalVariable *operands_ = nullptr;
  llvm::GlobalVariable *speculations_ = nullptr;
  llvm::GlobalVariable *logs_ = nullptr;
  llvm::GlobalVariable *log_heads_ = nullptr;
  llvm::GlobalVariable *totals_ = nullptr;
  llvm::GlobalVariable *scratch_placeholder_ = nullptr;
  llvm::GlobalVariable *slot_bytes_ = nullptr;
  llvm::GlobalVariable *slots_apart_ = nullptr;
  std::map<std::string, llvm::GlobalVariable *> shared_;  // by name
  std::map<uint32_t, uint32_t> this_offsets_;
  std::optional<uint32_t> unwind_most_;
  uint32_t token_offset_ = 0;
  uint32_t this_end_ = kSlotHead;
  uint32_t error_shift_ = 0;  ///< from a variable of `this` to its like in a firing of ERROR
  uint32_t slot_end_ = kSlotHead;
};

/// Which cause of loss, for which clause: an index into dt_drops.
inline uint32_t drop_index(const Layout &layout, Cause cause, uint32_t clause) {
  return static_cast<uint32_t>(cause) * static_cast<uint32_t>(layout.clauses.size()) + clause;
}

}  // namespace dtrace::codegen
