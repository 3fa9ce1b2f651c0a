// SPDX-License-Identifier: Apache-2.0
// One clause as one LLVM function: predicate, record, statements. Expressions, lvalues, aggregations and actions are
// methods of the same emitter, in separate files, because each contains the others. Its base classes are in code.h,
// firing.h and text.h.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/clause/text.h"
#include "codegen/planning/direct_member.h"

namespace dtrace::codegen {

class ClauseEmitter final : public TextEmitter {
 public:
  ClauseEmitter(Compilation &compilation, ProgramContext &context, uint32_t clause, Role role);
  /// void (ctx, firing)
  llvm::Function *emit();

  // --- arguments of the probe (derived_argument.cpp)
  llvm::Value *argument(unsigned n);          ///< arg0..arg9, raw
  llvm::Value *pointer_argument(unsigned n);  ///< an argument that is a pointer, as a number to compute with
  /// What the argument is derived by; null: it has no value.
  const tree::Derivation *derivation() const;  ///< null: the probe is the hook's own
  const tree::Expr *derivation_of(unsigned n) const;
  EmittedText argument_text(unsigned n, const Memory *into);  ///< only derivations make strings
  Place argument_place(unsigned n, uint64_t size_bytes);      ///< a struct's words, from arg`n` on, put into memory

  // --- ways to end (speculation.cpp, clause.cpp)
  /// The record has no room: the clause commits and discards all the same, and leaves where it would not have recorded
  /// anything because its speculation is not active.
  void speculate_without_record(const std::vector<tree::Stmt> &stmts);
  /// Not if an earlier clause of the firing called exit().
  void run_unless_exited();

  // --- expressions (expr.cpp)
  llvm::Value *scalar(const tree::Expr &expr);
  /// Null: it is no member that can be read without a check.
  llvm::Value *member_of_kernel(const tree::Expr &expr);
  llvm::Value *compare_member_with_null(const tree::Expr &expr);
  llvm::Value *condition(const tree::Expr &expr);
  void evaluate(const tree::Expr &expr);
  /// The number where the storage of `expr` lies.
  llvm::Value *address_of(const tree::Expr &expr);
  /// The number where a string's bytes lie; 0 for NULL.
  llvm::Value *text_address(const tree::Expr &expr);
  llvm::Value *normalise(llvm::Value *value, TypeId type);
  /// What an operator leaves of a result of that type (types_compat.h).
  llvm::Value *wrapped(llvm::Value *value, TypeId type);
  EmittedText text(const tree::Expr &expr, const Memory *into = nullptr);
  /// Bytes of a struct, array or other value that is no scalar and no string.
  void bytes_into(const tree::Expr &expr, llvm::Value *to, uint32_t size_bytes, uint32_t align = 8);

  // --- lvalues (`place.cpp`)
  llvm::Value *symbol_address(const tree::SymbolRef &symbol);
  Place place(const tree::Expr &expr, Access access);
  llvm::Value *load(const Place &place, TypeId type);
  void store(const Place &place, TypeId type, llvm::Value *value);
  EmittedText load_text(const Place &place, TypeId type);
  void load_bytes(const Place &place, llvm::Value *to, uint32_t size_bytes, uint32_t align);
  Place indexed(const tree::Element &node, TypeId type, Access access);
  Place character(const tree::Element &node);  ///< of a string
  Space space_of(TypeId pointer) const;
  /// Runs `store` only if the lvalue has storage (see Place::missing).
  void when_there(const Place &place, const std::function<void()> &store);

  // --- variables (variable.cpp)
  Place variable(tree::VarId var, Access access);
  Place element(const tree::ElemRef &ref, Access access);
  llvm::Value *array_key(const tree::ElemRef &ref);
  void store_element(uint32_t variable, llvm::Value *key, llvm::Value *found, llvm::Value *value);
  void put_text_element(llvm::GlobalVariable *map, llvm::Value *key, const EmittedText &value, uint32_t size_bytes);
  llvm::Value *thread_storage(Access access);
  llvm::Value *assign(const tree::Assign &node, TypeId type);
  /// A character of a string variable becomes what `change` makes of it. Out: the character before, or the new one.
  llvm::Value *change_character(const tree::Element &character, bool want_old,
                                const std::function<llvm::Value *(llvm::Value *)> &change);
  /// Where the text of a string variable is, to be written; faults if it is NULL.
  llvm::Value *text_to_change(const tree::Expr &variable, llvm::Value *index);
  EmittedText assign_text(const tree::Assign &node, TypeId type);
  void assign_bytes(const tree::Assign &node, TypeId type);
  llvm::Value *update(const tree::Expr &place, TypeId type, bool want_old,
                      const std::function<llvm::Value *(llvm::Value *)> &change);

  // --- operators (operator.cpp)
  llvm::Value *binary(BinaryOp op, llvm::Value *lhs, llvm::Value *rhs, TypeId type);
  llvm::Value *compare_texts(const tree::StringCompare &node);

  // --- strings (string.cpp)
  /// Evaluates a string to where it is wanted; NULL is a fault. `pad`: zeros up to the end.
  void store_text(llvm::Value *to, uint32_t size_bytes, const tree::Expr &expr, bool pad, uint32_t align = 8);
  EmittedText array_text(const tree::Expr &array, uint32_t size_bytes, const Memory *into);
  EmittedText conditional_text(const tree::Conditional &node, TypeId type, const Memory *into);

  // --- aggregations (aggregate.cpp) and keys (key.cpp)
  void aggregate(const tree::AggUpdate &update);
  Memory key_memory(uint32_t size_bytes);
  void store_key(llvm::Value *key, const std::vector<ValuePlan> &fields, const std::vector<const tree::Expr *> &values,
                 uint32_t reserved_bytes, uint32_t key_bytes);
  /// Zeros the bytes of a key between and after its fields.
  void clear_gaps(llvm::Value *key, const std::vector<ValuePlan> &fields, uint32_t reserved_bytes, uint32_t key_bytes);

  // --- actions (action.cpp) and stacks (stack_value.cpp)
  void action(const tree::Action &action);
  /// One value as planned; `padded`: equal values must be equal bytes (keys).
  void store_value(llvm::Value *to, const ValuePlan &plan, const tree::Expr &expr, uint32_t align, bool padded);
  /// The open field of a long key: written up to its end only, and zeros in the rest of that word. How many bytes, with
  /// the end.
  llvm::Value *store_open(llvm::Value *to, const ValuePlan &plan, const tree::Expr &expr);
  /// How many bytes of it are not zeros, i64.
  llvm::Value *store_stack(llvm::Value *to, const ValuePlan &plan, const tree::Expr &expr);
  llvm::Value *depth_of(const tree::Expr &stack);  ///< of a dt_stack_t
  void chill(const tree::Expr &duration);
  void send_signal(llvm::Value *number);

  // --- leaves of a recording (leaf.cpp)
  void record_leaf(const tree::RecordLeaf &record);
  void store_leaf(llvm::Value *to, llvm::Value *outcome, const ValuePlan &plan, const tree::Expr &leaf);

  // --- speculation (speculation.cpp)
  llvm::Value *speculation();
  void speculate(const tree::Action &action);
  void settle(const tree::Action &action);
  llvm::Value *speculation_id(const tree::Expr &expr);

 private:
  llvm::Value *narrow_value(const ValuePlan &plan, const tree::Expr &expr);
  llvm::Value *part_owner(Variable part);
  bool is_filtered() const;
  void predicate();
  void run_only_if(const tree::Expr &expr);
  // --- the record (record.cpp)
  /// Where the record goes; NULL, or a jump to `full`, if there is no room.
  llvm::Value *record_space(llvm::BasicBlock *full);
  void reserve();
  void submit();
  void body(const std::vector<tree::Stmt> &stmts);
  void statement(const tree::Stmt &stmt);

  bool fits_part(const tree::Stmt &stmt) const;
  void if_statement(const tree::If &branch);
  void loop_statement(const tree::Loop &loop);
  void jump_statement(const tree::Jump &jump);
  void clear_unwritten();

  void store_action_values(const tree::Action &action, const ActionPlan &plan);

  /// Where `continue` and `break` go; null outside of loops.
  struct LoopBlocks {
    llvm::BasicBlock *next = nullptr, *end = nullptr;
  };
  LoopBlocks loop_;
  llvm::Value *structure_of(const DirectMember &member);
  bool has_typed_arguments() const;  ///< the verifier takes pointers among the hook's arguments for such
  bool in_derivation_ = false;       ///< arguments mean those of the probe that this one is derived from
};

}  // namespace dtrace::codegen
