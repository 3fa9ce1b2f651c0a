// SPDX-License-Identifier: Apache-2.0
// What code of a clause is made of, whatever it means: blocks, constants, calls, checked reads, working memory, faults
// and losses, and the function being written.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bpf/dt_abi.h"
#include "codegen/clause/values.h"

namespace dtrace::codegen {

class CodeEmitter;

/// Code whose result is a number or lies where it was wanted: the temporaries and the scratch memory that it takes are
/// free when it ends, and later code takes them again. A program's stack is 512 bytes. (Markers of lifetimes would not
/// help: every checked read leads to the fault block, and all temporaries would meet there.)
class TemporaryScope {
 public:
  explicit TemporaryScope(CodeEmitter &emitter);
  ~TemporaryScope();
  TemporaryScope(const TemporaryScope &) = delete;
  TemporaryScope &operator=(const TemporaryScope &) = delete;

 private:
  CodeEmitter &emitter_;
  const size_t temporaries_;
  const uint32_t scratch_begin_;
  const bool outer_keeps_;
};

class CodeEmitter {
 public:
  enum class Role : uint8_t { kProbe, kError };

  // --- basics (code.cpp)
  Compilation &compilation() { return compilation_; }
  ObjectBuilder &object() { return object_; }
  Builder &builder() { return b_; }
  llvm::Value *constant(uint64_t value) { return llvm::ConstantInt::get(object_.i64(), value); }
  llvm::Value *constant32(uint32_t value) { return llvm::ConstantInt::get(object_.i32(), value); }
  llvm::Value *helper(Helper helper, llvm::ArrayRef<llvm::Value *> args, llvm::Type *result = nullptr);
  llvm::Value *library(std::string_view name, llvm::ArrayRef<llvm::Value *> args);
  llvm::BasicBlock *block(const char *name);
  llvm::AllocaInst *local(llvm::Type *type, const char *name);
  llvm::AllocaInst *local_bytes(uint32_t size_bytes, const char *name);
  llvm::Value *at(llvm::Value *pointer, uint64_t off_bytes);
  /// Loads through a pointer whose type the verifier follows: the context, a structure of the kernel. It accepts one
  /// type at each load, so LLVM must not make one load of several through a choice of their pointers. An i64, extended.
  llvm::Value *typed_load(llvm::Value *pointer, uint64_t off_bytes, uint64_t size_bytes, bool is_signed = false);
  llvm::Value *typed_pointer(llvm::Value *pointer, uint64_t off_bytes);  ///< the same of a pointer
  llvm::Value *context_register(uint32_t offset);                        ///< a word of the context
  /// Keeps the compiler from relating this value to where it came from, so that the verifier sees the test and the use
  /// of one register.
  llvm::Value *opaque(llvm::Value *value);
  llvm::Value *boolean(llvm::Value *bit);
  void set_position(const tree::Expr &expr);
  llvm::Value *compare(BinaryOp op, llvm::Value *lhs, llvm::Value *rhs, bool is_signed);
  /// Runs `then_part` only if `condition`; code in it is conditional.
  void when(llvm::Value *condition, const std::function<void()> &then_part);
  llvm::Value *choose(llvm::Value *condition, llvm::Type *type, const std::function<llvm::Value *()> &then_part,
                      const std::function<llvm::Value *()> &else_part);
  llvm::Value *context() { return frame_.context; }
  const ProgramContext &program() const { return context_; }
  llvm::Value *firing_cell(uint32_t offset) { return cell(object_, b_, frame_.firing, offset); }
  const arch::Registers &machine_registers() const { return compilation_.input.machine.registers; }
  llvm::Value *record() { return frame_.record; }
  /// Its frame would show in kernel stacks if it were not inlined.
  bool walks_stack() const { return walks_stack_; }
  bool in_error() const { return role_ == Role::kError; }
  /// Values computed outside any branch hold for the rest of the clause.
  std::optional<llvm::Value *> known(uint32_t cell_offset) const;
  void remember(uint32_t cell_offset, llvm::Value *value);
  llvm::Value *lazy(uint32_t cell_offset, llvm::Type *type, const std::function<llvm::Value *()> &make);

  // --- faults and losses (fault.cpp)
  void fault(uint32_t kind, llvm::Value *address = nullptr);
  void fault_if(llvm::Value *condition, uint32_t kind, llvm::Value *address = nullptr);
  void drop(Cause cause);
  void drop(llvm::Value *condition, Cause then_cause, Cause else_cause);
  /// The clause ends in silence, and its record is not kept.
  void leave_if(llvm::Value *condition);
  /// What exit() does at once: no probe fires any more, on any CPU, save END.
  void end_tracing();
  /// exit() ends its firing as well: the clauses that follow do not run.
  void end_firing();

  // --- memory (memory.cpp)
  /// `align` matters on the stack only, where the verifier refuses misaligned access; map memory may claim 8.
  void zero(llvm::Value *pointer, uint32_t size_bytes, uint32_t align = 8);
  void copy(llvm::Value *to, llvm::Value *from, uint32_t size_bytes, uint32_t align = 8);
  /// Checked read into memory; a failure is a fault.
  void read(Space space, llvm::Value *to, uint32_t size_bytes, llvm::Value *address);
  /// A user address without its tag; the same where the machine has none.
  llvm::Value *untagged(llvm::Value *address);
  llvm::Value *is_user_address(llvm::Value *address);
  /// Reads of user memory: 0 or an error; the string's length with its NUL or an error. They wait for pages where the
  /// program may sleep.
  llvm::Value *copy_in(llvm::Value *to, llvm::Value *size, llvm::Value *from);
  llvm::Value *copy_in_text(llvm::Value *to, llvm::Value *size, llvm::Value *from);
  llvm::Value *read_scalar(Space space, llvm::Value *address, uint32_t size_bytes, bool is_signed);
  /// Where a store of `size` bytes, up to `most_bytes`, through a D pointer goes: only what alloca() and copyin() gave
  /// in this clause may be written, and global arrays.
  llvm::Value *writable(llvm::Value *address, llvm::Value *size, uint32_t most_bytes);

  // --- working memory (scratch.cpp)
  /// Memory on the stack until the innermost TemporaryScope ends.
  llvm::Value *temporary(uint32_t size_bytes, const char *name);
  llvm::Value *slot();
  Memory scratch(uint32_t size_bytes);
  llvm::Value *slot_base();                       ///< the slot's address, as a number
  llvm::Value *slot_address(uint32_t off_bytes);  ///< an address in the slot, as a number
  llvm::Value *to_number(llvm::Value *pointer);   ///< a BPF pointer as a plain number, by way of memory
  /// A block of `size` bytes for D, and a 0 behind it; NOSCRATCH if there is no room.
  Memory arena_take(llvm::Value *size);
  uint32_t arena_bytes();  ///< the largest block
  uint32_t scratchsize() const;
  /// alloca() gives no more than option scratchsize in a clause: NOSCRATCH.
  void count_allocated(llvm::Value *size);
  Memory token_text();  ///< what strtok() works on in this firing

 protected:
  CodeEmitter(Compilation &compilation, ProgramContext &context, uint32_t clause, Role role);

  /// The function being written. A clause too large for one BPF function goes on in others, which it calls in order.
  struct Frame {
    /// Where the faults of a function meet.
    struct Faults {
      llvm::BasicBlock *block = nullptr;
      std::vector<std::array<llvm::Value *, 2>> values;  ///< kind and address...
      std::vector<llvm::BasicBlock *> sources;           ///< ...by where the fault is
    };
    llvm::Function *function = nullptr;
    llvm::Value *context = nullptr;  ///< the kernel's, of the probe
    llvm::Value *firing = nullptr;
    llvm::Value *record = nullptr;    ///< while it is reserved
    llvm::Value *reserved = nullptr;  ///< the same, for the fault block
    llvm::Value *keep = nullptr;  ///< 0: the record is dropped in silence (an invalid speculation's, a vain commit's)
    llvm::BasicBlock *end = nullptr;
    llvm::BasicBlock *fault_end = nullptr;  ///< where a clause that faulted leaves; of a clause's main function, `end`
    std::array<Faults, 2> faults;           ///< without and with a record reserved
    Faults *caught = nullptr;               ///< where those go that do not end the clause; null: all do
    llvm::AllocaInst *word = nullptr;       ///< target of checked scalar reads
    unsigned depth = 0;                     ///< branches around the code being emitted
    bool thread_created = false;            ///< the thread's storage was made outside any branch
    std::map<uint32_t, llvm::Value *> known;
    std::vector<llvm::AllocaInst *> temporaries;       ///< of the scopes that are open
    std::vector<llvm::AllocaInst *> free_temporaries;  ///< of scopes that have ended
    Builder::InsertPoint return_to;                    ///< in the function that waits for a part to be written
    llvm::DebugLoc location;
  };
  // --- parts (part.cpp)
  bool is_full() const;
  Frame open_part();
  void close_part(Frame outer);
  void emit_faults(bool has_record);
  void keep_record(llvm::Value *record);
  void forget_record(llvm::Value *record);
  void keep_if_wanted(llvm::Value *record);  ///< as Frame::keep says
  uint32_t clause_scratch_begin() const;
  llvm::Value *writable_arena(llvm::Value *address, llvm::Value *size, uint32_t most_bytes);

  Compilation &compilation_;
  ObjectBuilder &object_;
  ProgramContext &context_;
  const uint32_t clause_;
  const Role role_;
  const ClauseLayout &layout_;
  const ClausePlan &plan_;
  Builder b_;
  Frame frame_;
  uint32_t scratch_end_ = 0;
  bool keeps_memory_ = false;  ///< D got an address in memory of this scope, so it stays until the clause ends
  llvm::Function *main_function_ = nullptr;
  unsigned part_depth_ = 0;
  bool walks_stack_ = false;

 private:
  friend class TemporaryScope;
  /// Bytes of the arena: its largest block, and up to where blocks begin.
  struct ArenaSize {
    uint32_t block = 0;
    uint32_t begins = 0;
  };
  const ArenaSize &arena_size();
  void open_arena();
  std::optional<ArenaSize> arena_size_;
  std::optional<Memory> arena_;  ///< of alloca() and copyin()
  unsigned nr_parts_ = 0;
};

}  // namespace dtrace::codegen
