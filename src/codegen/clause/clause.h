// SPDX-License-Identifier: Apache-2.0
// One clause as one LLVM function: predicate, record, statements, faults. Expressions, places, strings, aggregations
// and actions are methods of the same emitter, in files of their own.
//
// Values. A scalar is an i64 extended by its D type; of an operator's result all 64 bits count (types_compat.h, wraps),
// and the tree has a Convert where it must be narrowed. A string is an EmittedText: nothing is copied until somebody
// needs the bytes. Memory that BPF may touch directly (map values, the stack, a record) is a pointer; every other
// address is a number.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bpf/dt_abi.h"
#include "codegen/clause/program.h"

namespace dtrace {

/// A string not yet copied anywhere.
struct EmittedText {
  enum class Kind : uint8_t {
    kLiteral,  ///< `literal`
    kMemory,   ///< at `pointer`, NUL-terminated within `size_bytes`
    kPart,     ///< a field of the probe's description
    kComm,     ///< the thread's name, not read yet
  };
  Kind kind = Kind::kLiteral;
  std::string literal;
  llvm::Value *pointer = nullptr;
  uint32_t size_bytes = 0;
  bool padded = false;  ///< kMemory: zeros after the NUL
  Variable part = Variable::k_probefunc;
  llvm::Value *is_null = nullptr;       ///< i1; none: never NULL
  llvm::Value *length = nullptr;        ///< i64, without the NUL, if it is known
  std::optional<uint32_t> slot_offset;  ///< kMemory: it lies here in the scratch slot
};

/// Memory that may be written directly.
struct Memory {
  llvm::Value *pointer = nullptr;
  uint32_t size_bytes = 0;
  std::optional<uint32_t> slot_offset;
  llvm::Value *address = nullptr;  ///< of the arena: the number of its place
  llvm::Value *taken = nullptr;    ///< of the arena: size at run time, bounded by size_bytes
};

/// A string of the current clause that lies in the slot, where the library can walk it.
struct SlotText {
  uint32_t offset = 0;
  uint32_t size_bytes = 0;  ///< its space
  llvm::Value *pointer = nullptr;
  llvm::Value *length = nullptr;  ///< i64, without the NUL
};

/// Bytes of a thread's name with its NUL.
inline constexpr uint32_t kCommBytes = 16;

/// Blocks of constant size up to this have a place of their own in the slot.
inline constexpr uint32_t kMaxFixedBytes = 32768;

/// Storage that an expression denotes.
struct Place {
  enum class Kind : uint8_t {
    kMemory,   ///< directly loadable and storable
    kAddress,  ///< a number: loads are checked reads, stores only into this clause's scratch
  };
  Kind kind = Kind::kMemory;
  llvm::Value *pointer = nullptr;  ///< kMemory
  llvm::Value *missing = nullptr;  ///< kMemory: i1, nothing is there and it reads as 0; none: always there
  llvm::Value *address = nullptr;  ///< kAddress
  Space space = Space::kKernel;    ///< kAddress
  uint64_t off_bits = 0;
  uint32_t bits = 0;                  ///< bit-field width; 0: ordinary
  std::optional<uint32_t> presence;   ///< thread-local string: offset of its "is set" byte from the storage's start
  std::optional<uint32_t> null_flag;  ///< other strings: offset of the byte that says that NULL was assigned
  llvm::Value *storage = nullptr;     ///< what `presence` and `null_flag` are counted from
  std::optional<uint32_t> array;      ///< element of this variable's array...
  llvm::Value *key = nullptr;         ///< ...with this key
};

/// Alignment of a place so far from one aligned to 8.
inline uint32_t alignment_at(uint32_t offset) {
  return offset % 8 == 0 ? 8 : offset % 4 == 0 ? 4 : offset % 2 == 0 ? 2 : 1;
}

/// What a place is wanted for.
enum class Access : uint8_t {
  kRead,   ///< storage that is absent stays so
  kWrite,  ///< made if absent
};

class ClauseEmitter;

/// Code whose result is a number or lies where it was wanted: the temporaries and the scratch memory that it takes are
/// free when it ends, and later code takes them again. A program's stack is 512 bytes. (Markers of lifetimes would not
/// help: every checked read leads to the fault block, and all temporaries would meet there.)
class TemporaryScope {
 public:
  explicit TemporaryScope(ClauseEmitter &emitter);
  ~TemporaryScope();
  TemporaryScope(const TemporaryScope &) = delete;
  TemporaryScope &operator=(const TemporaryScope &) = delete;

 private:
  ClauseEmitter &emitter_;
  const size_t temporaries_;
  const uint32_t scratch_begin_;
  const bool outer_keeps_;
};

class ClauseEmitter {
 public:
  enum class Role : uint8_t { kProbe, kError };
  ClauseEmitter(Compilation &compilation, ProgramContext &context, uint32_t clause, Role role);
  /// void (ctx, firing)
  llvm::Function *emit();

  // --- shared by all files: the basics (clause.cpp)
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
  /// Memory on the stack until the innermost TemporaryScope ends.
  llvm::Value *temporary(uint32_t size_bytes, const char *name);
  llvm::Value *at(llvm::Value *pointer, uint64_t off_bytes);
  llvm::Value *as_pointer(llvm::Value *address) { return b_.CreateIntToPtr(address, object_.pointer()); }
  /// Keeps the compiler from relating this value to where it came from, so that the verifier sees the test and the use
  /// of one register.
  llvm::Value *opaque(llvm::Value *value);
  void set_position(const tree::Expr &expr);
  /// Runs `then_part` only if `condition`; code in it is conditional.
  void when(llvm::Value *condition, const std::function<void()> &then_part);
  llvm::Value *choose(llvm::Value *condition, llvm::Type *type, const std::function<llvm::Value *()> &then_part,
                      const std::function<llvm::Value *()> &else_part);

  // --- firing (firing.cpp)
  llvm::Value *context() { return frame_.context; }
  const ProgramContext &program() const { return context_; }
  llvm::Value *firing_cell(uint32_t offset) { return cell(object_, b_, frame_.firing, offset); }
  llvm::Value *time();
  llvm::Value *task();
  /// A number, fit for arithmetic.
  llvm::Value *task_address();
  llvm::Value *cpu();
  llvm::Value *bank();
  llvm::Value *ring();
  llvm::Value *probe();
  llvm::Value *probe_index();
  llvm::Value *index_of_id();
  llvm::Value *open_process();            ///< the process that fires, if names of providers leave it open; else 0
  llvm::Value *registers();               ///< of the system call, BTF tracepoints only
  llvm::Value *raw_system_call_result();  ///< as the kernel returns it; system call returns only
  // arguments (argument.cpp, operand.cpp)
  llvm::Value *argument(unsigned n);          ///< arg0..arg9, raw
  llvm::Value *argument_of_hook(unsigned n);  ///< the same before any derivation
  /// What the argument is derived by; null: it has no value.
  const tree::Derivation *derivation() const;  ///< null: the probe is the hook's own
  const tree::Expr *derivation_of(unsigned n) const;
  EmittedText argument_text(unsigned n, const Memory *into);  ///< only derivations make strings
  llvm::Value *function_argument(const ArgSource &source);
  llvm::Value *system_call_argument(unsigned n, llvm::Value *word);
  llvm::Value *extended(llvm::Value *value, llvm::Value *width);
  llvm::Value *stack_argument_address(unsigned n);        ///< of a function that is entered
  Place argument_place(unsigned n, uint64_t size_bytes);  ///< a struct's words, from arg`n` on, put into memory
  llvm::Value *from_trampoline(unsigned n);
  llvm::Value *profile_lag();
  llvm::Value *site_variant();
  llvm::Value *site_operand(const ArgSource &source);
  llvm::Value *known_operand(const ArgSource &source, llvm::Value *variant);
  llvm::Value *late_operand(const ArgSource &source, llvm::Value *variant);
  llvm::Value *operand(const UserOperand &operand);
  llvm::Value *operand_as_it_is(const UserOperand &operand);
  llvm::Value *thread_base(bool is_narrow);        ///< null: not in BTF
  llvm::Value *context_register(uint32_t offset);  ///< a word of the context
  /// One of `count` values, by a number below it.
  llvm::Value *pick(llvm::Value *which, uint32_t count, const std::function<llvm::Value *(uint32_t)> &make);
  llvm::Value *task_field(const std::string &member, uint64_t size_bytes, bool is_signed);  ///< null: not in BTF
  llvm::Value *system_call_errno();
  llvm::Value *tgid();
  /// Number of a thread (none: the current one) or its process in dtrace's pid namespace; null: that is the initial
  /// one, and the thread's own fields say it.
  llvm::Value *own_number(bool of_process, llvm::Value *task_address = nullptr);
  llvm::Value *enabled_probe();  ///< epid
  llvm::Value *credential(const char *member, unsigned helper_shift);
  llvm::Value *cpu_time();  ///< vtimestamp
  llvm::Value *clock_lag();
  /// 1 in an interrupt, else 0. `preemption_count`: place of this CPU's; nullptr: by the stack that the probe runs on.
  llvm::Value *interrupt_level(const tree::Expr *preemption_count);
  llvm::Value *user_register(const tree::Expr &index);
  EmittedText directory(const char *which);  ///< cwd ("pwd"), root
  EmittedText path_name(llvm::Value *path);  ///< of the struct path at an address

  // --- scratch (scratch.cpp)
  llvm::Value *slot();
  Memory scratch(uint32_t size_bytes);
  llvm::Value *slot_base();                       ///< the number of the slot's own place
  llvm::Value *slot_address(uint32_t off_bytes);  ///< the number of a place in the slot
  llvm::Value *to_number(llvm::Value *pointer);   ///< a BPF pointer as a plain number, by way of memory
  /// A block of `size` bytes for D, and a 0 behind it; NOSCRATCH if there is no room.
  Memory arena_take(llvm::Value *size);
  uint32_t arena_bytes();  ///< the largest block
  uint32_t scratchsize() const;
  /// alloca() gives no more than option scratchsize in a clause: NOSCRATCH.
  void count_allocated(llvm::Value *size);
  Memory token_text();  ///< what strtok() works on in this firing
  uint32_t clause_scratch_begin() const;

  // --- faults and drops (clause.cpp)
  void fault(uint32_t kind, llvm::Value *address = nullptr);
  void fault_if(llvm::Value *condition, uint32_t kind, llvm::Value *address = nullptr);
  void drop(Cause cause);
  /// The record has no room: what the clause would commit or discard is lost, and its buffer is free again all the
  /// same.
  void settle_without_record(const std::vector<tree::Stmt> &stmts);
  /// Counts a string as cut if `is_longer`, where the limit is that of all strings and not one that was asked for.
  void drop_cut(llvm::Value *is_longer);
  /// The same of one that was read from `address`: `with_nul` bytes of it found room.
  void drop_cut(Space space, llvm::Value *with_nul, uint32_t size_bytes, llvm::Value *address);
  void drop(llvm::Value *condition, Cause then_cause, Cause else_cause);
  /// The clause ends in silence, and its record is not kept.
  void leave_if(llvm::Value *condition);
  /// What exit() does at once: no probe fires any more, on any CPU, save END.
  void end_tracing();
  /// exit() ends its firing as well: the clauses that follow do not run.
  void end_firing();
  /// Not if an earlier clause of the firing called exit().
  void run_unless_exited();

  // --- memory (memory.cpp)
  /// `align` matters on the stack only, where the verifier refuses misaligned access; map memory may claim 8.
  void zero(llvm::Value *pointer, uint32_t size_bytes, uint32_t align = 8);
  void copy(llvm::Value *to, llvm::Value *from, uint32_t size_bytes, uint32_t align = 8);
  /// Checked read into memory; a failure is a fault.
  void read(Space space, llvm::Value *to, uint32_t size_bytes, llvm::Value *address);
  /// Reads of user memory: 0 or an error; the string's length with its NUL or an error. They wait for pages where the
  /// program may sleep.
  llvm::Value *copy_in(llvm::Value *to, llvm::Value *size, llvm::Value *from);
  llvm::Value *copy_in_text(llvm::Value *to, llvm::Value *size, llvm::Value *from);
  llvm::Value *read_scalar(Space space, llvm::Value *address, uint32_t size_bytes, bool is_signed);
  /// Where a store of `size` bytes, up to `most_bytes`, through a D pointer goes: only what alloca() and copyin() gave
  /// in this clause may be written, and global arrays.
  llvm::Value *writable(llvm::Value *address, llvm::Value *size, uint32_t most_bytes);

  // --- expressions (expr*.cpp)
  llvm::Value *scalar(const tree::Expr &expr);
  llvm::Value *condition(const tree::Expr &expr);
  void evaluate(const tree::Expr &expr);
  /// The number where the storage of `expr` lies.
  llvm::Value *address_of(const tree::Expr &expr);
  /// The number where a string's bytes lie; 0 for NULL.
  llvm::Value *text_address(const tree::Expr &expr);
  llvm::Value *normalise(llvm::Value *value, TypeId type);
  /// What an operator leaves of a result of that type (types_compat.h).
  llvm::Value *wrapped(llvm::Value *value, TypeId type);
  llvm::Value *boolean(llvm::Value *bit);
  EmittedText text(const tree::Expr &expr, const Memory *into = nullptr);
  /// Bytes of a struct, array or other value that is no scalar and no string.
  void bytes_into(const tree::Expr &expr, llvm::Value *to, uint32_t size_bytes, uint32_t align = 8);

  // --- places (place.cpp)
  llvm::Value *symbol_address(const tree::SymbolRef &symbol);
  Place place(const tree::Expr &expr, Access access);
  llvm::Value *load(const Place &place, TypeId type);
  void store(const Place &place, TypeId type, llvm::Value *value);
  EmittedText load_text(const Place &place, TypeId type);
  void load_bytes(const Place &place, llvm::Value *to, uint32_t size_bytes, uint32_t align);
  Place indexed(const tree::Element &node, TypeId type, Access access);
  Place character(const tree::Element &node);  ///< of a string
  Space space_of(TypeId pointer) const;
  /// Runs `store` unless the place's storage could not be had.
  void when_there(const Place &place, const std::function<void()> &store);

  // --- variables (variable.cpp)
  Place variable(tree::VarId var, Access access);
  Place element(const tree::ElemRef &ref, Access access);
  llvm::Value *array_key(const tree::ElemRef &ref);
  void store_element(uint32_t variable, llvm::Value *key, llvm::Value *found, llvm::Value *value);
  void put_text_element(llvm::GlobalVariable *map, llvm::Value *key, const EmittedText &value, uint32_t size_bytes);
  llvm::Value *thread_storage(Access access);
  llvm::Value *assign(const tree::Assign &node, TypeId type);
  EmittedText assign_text(const tree::Assign &node, TypeId type);
  void assign_bytes(const tree::Assign &node, TypeId type);
  llvm::Value *update(const tree::Expr &place, TypeId type, bool want_old,
                      const std::function<llvm::Value *(llvm::Value *)> &change);

  // --- operators (operator.cpp)
  llvm::Value *binary(BinaryOp op, llvm::Value *lhs, llvm::Value *rhs, TypeId type);
  llvm::Value *compare(BinaryOp op, llvm::Value *lhs, llvm::Value *rhs, bool is_signed);
  llvm::Value *compare_texts(const tree::StringCompare &node);

  // --- strings (string.cpp)
  Memory bytes_of(const EmittedText &text);       ///< readable memory with its NUL; faults if NULL
  Memory bytes_or_null(const EmittedText &text);  ///< the same; whatever is there if NULL
  SlotText slot_text(const EmittedText &text);    ///< the same, in the slot and with its length
  llvm::Value *compare_values(BinaryOp op, const EmittedText &lhs, const EmittedText &rhs);
  /// Evaluates a string to where it is wanted; NULL is a fault. `pad`: zeros up to the end.
  void store_text(llvm::Value *to, uint32_t size_bytes, const tree::Expr &expr, bool pad, uint32_t align = 8);
  void copy_text(llvm::Value *to, uint32_t size_bytes, const EmittedText &text, bool pad, uint32_t align = 8);
  void copy_text_or_empty(llvm::Value *to, uint32_t size_bytes, const EmittedText &text);
  void require_not_null(const EmittedText &text);
  Memory target(const Memory *into, uint32_t size_bytes);  ///< `into` if it is wide enough, else scratch
  EmittedText read_text(Space space, llvm::Value *address, uint32_t size_bytes, const Memory *into);
  EmittedText array_text(const tree::Expr &array, uint32_t size_bytes, const Memory *into);
  EmittedText conditional_text(const tree::Conditional &node, TypeId type, const Memory *into);
  void zero_tail(llvm::Value *memory, uint32_t from, uint32_t to);
  void store_comm(llvm::Value *to, uint32_t size_bytes, uint32_t align = 8);
  llvm::Value *comm_equals(const std::string &literal);
  EmittedText part_value(Variable part);
  EmittedText described_part(Variable part);
  EmittedText late_part(Variable part);
  llvm::Value *picked(const std::vector<uint64_t> &numbers);
  llvm::Value *late_part_equals(Variable part, const std::string &literal);
  llvm::Value *part_equals(Variable part, const std::string &literal);

  // --- aggregations and keys (aggregate.cpp)
  void aggregate(const tree::AggUpdate &update);
  Memory key_memory(uint32_t size_bytes);
  /// Zeros the bytes of a key between and after its fields.
  llvm::Value *narrow_value(const ValuePlan &plan, const tree::Expr &expr);
  llvm::Value *part_owner(Variable part);
  void store_key(llvm::Value *key, const std::vector<ValuePlan> &fields, const std::vector<const tree::Expr *> &values,
                 uint32_t reserved_bytes, uint32_t key_bytes);
  void clear_gaps(llvm::Value *key, const std::vector<ValuePlan> &fields, uint32_t reserved_bytes, uint32_t key_bytes);

  // --- actions (action.cpp) and stacks (stack.cpp)
  void action(const tree::Action &action);
  /// One value as planned; `padded`: equal values must be equal bytes (keys).
  void store_value(llvm::Value *to, const ValuePlan &plan, const tree::Expr &expr, uint32_t align, bool padded);
  /// The open field of a long key: written up to its end only, and zeros in the rest of that word. How many bytes, with
  /// the end.
  llvm::Value *store_open(llvm::Value *to, const ValuePlan &plan, const tree::Expr &expr);
  /// How many bytes of it are not zeros, i64.
  llvm::Value *store_stack(llvm::Value *to, const ValuePlan &plan, const tree::Expr &expr);
  llvm::Value *stack_frame(unsigned n, bool user);
  /// The stack pointer points to the address that the function returns to: 64-bit functions' first instructions and
  /// returns.
  bool return_address_on_stack() const;
  llvm::Value *return_address();
  llvm::Value *store_stack_at_boundary(llvm::Value *to, uint32_t size_bytes);
  llvm::Value *writable_arena(llvm::Value *address, llvm::Value *size, uint32_t most_bytes);
  llvm::Value *stack_depth(bool user);
  llvm::Value *depth_of(const tree::Expr &stack);  ///< of a dt_stack_t
  uint64_t kernel_stack_flags();
  void chill(const tree::Expr &duration);
  void send_signal(llvm::Value *number);
  llvm::Value *record() { return frame_.record; }

  // --- speculation (speculation.cpp)
  llvm::Value *speculation();
  void speculate(const tree::Action &action);
  void settle(const tree::Action &action);
  llvm::Value *speculation_id(const tree::Expr &expr);

  /// Its frame would show in kernel stacks if it were not inlined.
  bool walks_stack() const { return walks_stack_; }
  bool in_error() const { return role_ == Role::kError; }
  /// Values computed outside any branch hold for the rest of the clause.
  std::optional<llvm::Value *> known(uint32_t cell_offset) const;
  void remember(uint32_t cell_offset, llvm::Value *value);
  llvm::Value *lazy(uint32_t cell_offset, llvm::Type *type, const std::function<llvm::Value *()> &make);

 private:
  void predicate();
  void run_only_if(const tree::Expr &expr);
  // --- the record (record.cpp)
  /// Where the record goes; NULL, or a jump to `full`, if there is no room.
  llvm::Value *record_space(llvm::BasicBlock *full);
  void reserve();
  void submit();
  void keep_record(llvm::Value *record);
  void forget_record(llvm::Value *record);
  void body(const std::vector<tree::Stmt> &stmts);
  void statement(const tree::Stmt &stmt);

  // --- parts (part.cpp)
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
    llvm::AllocaInst *word = nullptr;       ///< target of checked scalar reads
    unsigned depth = 0;                     ///< branches around the code being emitted
    bool thread_created = false;            ///< the thread's storage was made outside any branch
    std::map<uint32_t, llvm::Value *> known;
    std::vector<llvm::AllocaInst *> temporaries;       ///< of the scopes that are open
    std::vector<llvm::AllocaInst *> free_temporaries;  ///< of scopes that have ended
    Builder::InsertPoint return_to;                    ///< in the function that waits for a part to be written
    llvm::DebugLoc location;
  };
  bool is_full() const;
  bool fits_part(const tree::Stmt &stmt) const;
  Frame open_part();
  void close_part(Frame outer);
  void if_statement(const tree::If &branch);
  void emit_faults(bool has_record);
  void clear_unwritten();
  /// Emits the search for an aggregation's words: a pointer, null if there is no room.
  using FindWords = std::function<llvm::Value *()>;
  FindWords keyless(const AggregationPlan &plan);
  FindWords short_key(const tree::AggUpdate &node, const AggregationPlan &plan);
  FindWords long_key(const tree::AggUpdate &node, const AggregationPlan &plan);
  llvm::Value *table_slot(const AggregationPlan &plan);
  void update_words(const AggregationPlan &plan, llvm::Value *words, llvm::Value *value, llvm::Value *increment);

  Compilation &compilation_;
  ObjectBuilder &object_;
  ProgramContext &context_;
  const uint32_t clause_;
  const Role role_;
  void store_action_values(const tree::Action &action, const ActionPlan &plan);

  const ClauseLayout &layout_;
  const ClausePlan &plan_;
  Builder b_;
  Frame frame_;
  uint32_t scratch_end_ = 0;
  bool in_derivation_ = false;  ///< arguments mean those of the probe that this one is derived from
  bool keeps_memory_ = false;   ///< D got an address in memory of this scope, so it stays until the clause ends
  friend class TemporaryScope;
  llvm::Function *main_function_ = nullptr;
  unsigned part_depth_ = 0;
  unsigned nr_parts_ = 0;
  bool walks_stack_ = false;
  /// Bytes of the arena: its largest block, and up to where blocks begin.
  struct ArenaSize {
    uint32_t block = 0;
    uint32_t begins = 0;
  };
  const ArenaSize &arena_size();
  void open_arena();
  std::optional<ArenaSize> arena_size_;
  std::optional<Memory> arena_;  ///< of alloca() and copyin()
};

}  // namespace dtrace
