// SPDX-License-Identifier: Apache-2.0
// What a clause can know of the firing: time, CPU, thread, process, arguments and stacks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/clause/code.h"

namespace dtrace::codegen {

class FiringEmitter : public CodeEmitter {
 public:
  // --- firing (firing.cpp)
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
  llvm::Value *open_process();  ///< the process that fires, if names of providers leave it open; else 0
  llvm::Value *picked(const std::vector<uint64_t> &numbers);
  llvm::Value *picked_among(bool narrow, const std::function<uint64_t(const ProbeHook &)> &number_of);
  llvm::Value *narrow_register(llvm::Value *offset);
  llvm::Value *narrow_argument(unsigned n);
  llvm::Value *task_field(const std::string &member, uint64_t size_bytes, bool is_signed);  ///< null: not in BTF
  llvm::Value *raw_system_call_result();  ///< as the kernel returns it; system call returns only
  llvm::Value *system_call_errno();

  // --- thread and process (task.cpp)
  llvm::Value *tgid();
  llvm::Value *image();  ///< mark of the program that the thread executes (dt_image_mark()), i64; 0: not known
  llvm::Value *process_and_thread();  ///< pid and tid as the variables have them: one above, the other below 32 bits
  /// Number of a thread (none: the current one) or its process in dtrace's pid namespace; null: that is the initial
  /// one, and the thread's own fields say it.
  llvm::Value *own_number(bool of_process, llvm::Value *task_address = nullptr);
  llvm::Value *enabled_probe();  ///< epid
  llvm::Value *credential(const char *member, unsigned helper_shift);
  llvm::Value *cpu_time();  ///< vtimestamp
  /// 1 in an interrupt, else 0. `preemption_count`: this CPU's; nullptr: the task's, or by the stack that the probe
  /// runs on.
  llvm::Value *interrupt_level(llvm::Value *preemption_count);
  llvm::Value *thread_pointer();  ///< what thread-local variables are counted from
  llvm::Value *user_register(llvm::Value *number, std::optional<uint64_t> known_number);  ///< uregs[number]
  llvm::Value *fired_register(llvm::Value *number);                                       ///< regs[number]
  EmittedText directory(const char *which);                                               ///< cwd ("pwd"), root
  EmittedText path_name(llvm::Value *path);  ///< of the struct path at an address
  /// Number of the thread, or of its process, in the innermost pid namespace that it is in.
  llvm::Value *innermost_number(bool of_process);

  // --- cgroups (cgroup.cpp)
  llvm::Value *cgroup();        ///< id of the thread's cgroup in the unified hierarchy
  llvm::Value *named_cgroup();  ///< the same, where its names are asked for later: the consumer keeps them
  /// Bit `bit` (enum dt_cgroup_bit) of the cgroup's entry, i1; of one that the table does not have 0, which is counted.
  llvm::Value *cgroup_test(uint32_t bit);

  // --- arguments (argument.cpp, operand.cpp)
  llvm::Value *argument_of_hook(unsigned n);        ///< the same before any derivation
  llvm::Value *stack_argument_address(unsigned n);  ///< of a function that is entered
  llvm::Value *operand(const UserOperand &operand);

  // --- stacks (stack.cpp)
  struct Frames {
    llvm::Value *bytes = nullptr;  ///< how many bytes are frames, i64
    llvm::Value *end = nullptr;    ///< user stacks: enum dt_unwind_end, i64
    llvm::Value *owner = nullptr;  ///< user stacks: the process whose program the frames are in, i64
    llvm::Value *image = nullptr;  ///< user stacks: mark of that program (dt_image_mark()), i64
  };
  /// Frames and zeros behind them, `size_bytes` of them at `to`. `is_asked`: more frames than were asked for are no
  /// loss.
  Frames store_frames(llvm::Value *to, uint32_t size_bytes, bool user, bool is_asked);
  llvm::Value *stack_frame(unsigned n, bool user);
  llvm::Value *stack_depth(bool user);

 protected:
  using CodeEmitter::CodeEmitter;

 private:
  llvm::Value *clock_lag();
  llvm::Value *registers();  ///< of the system call, BTF tracepoints only
  llvm::Value *function_argument(const ArgSource &source);
  llvm::Value *system_call_argument(unsigned n, const std::function<llvm::Value *()> &native);
  llvm::Value *extended(llvm::Value *value, llvm::Value *width);
  llvm::Value *from_trampoline(unsigned n);
  llvm::Value *registers_address();
  llvm::Value *profile_lag();
  llvm::Value *site_variant();
  llvm::Value *site_operand(const ArgSource &source);
  llvm::Value *known_operand(const ArgSource &source, llvm::Value *variant);
  llvm::Value *late_operand(const ArgSource &source, llvm::Value *variant);
  llvm::Value *operand_as_it_is(const UserOperand &operand);
  llvm::Value *operand_by_caller(const UserOperand &operand);
  llvm::Value *thread_base(bool is_narrow);  ///< null: not in BTF
  /// One of `count` values, by a number below it.
  llvm::Value *pick(llvm::Value *which, uint32_t count, const std::function<llvm::Value *(uint32_t)> &make);
  /// The stack pointer points to the address that the function returns to: 64-bit functions' first instructions and
  /// returns.
  bool return_address_on_stack() const;
  bool caller_is_in_register() const;
  llvm::Value *return_address();
  // the same of a function of the kernel that was just entered (kernel_caller.cpp)
  llvm::Value *kernel_caller();
  llvm::Value *is_after_call(llvm::Value *address);
  llvm::Value *noted_caller();
  llvm::Value *store_stack_of_returned(llvm::Value *to, uint32_t size_bytes, uint64_t flags);
  llvm::Value *store_stack_at_boundary(llvm::Value *to, uint32_t size_bytes, uint64_t flags, llvm::Value *caller);
  llvm::Value *store_by_kernel(llvm::Value *to, uint32_t size_bytes, bool user);
  // by unwind rules (user_stack.cpp)
  struct Walk {
    Memory memory;  ///< struct dt_unwind_walk, frames behind it
    llvm::Value *nr_frames = nullptr;
  };
  bool walks_by_rules() { return compilation_.unwind_most() != 0; }
  /// `cleared_bytes`: of the frames' space, before the walk.
  Walk walk_user_stack(uint32_t most, uint32_t cleared_bytes, bool with_managed);
  Frames store_walked(llvm::Value *to, uint32_t size_bytes, bool is_asked);
  llvm::Value *walked_frame(unsigned n);
  llvm::Value *walked_depth();
  /// enum dt_unwind_end, i64.
  llvm::Value *end_of(const Walk &walk);
  /// Counts a stack that is not whole, by its end.
  void count_cut(llvm::Value *end);
  /// Counts a stack with managed frames that have no names.
  void count_missed(const Walk &walk);
  uint64_t kernel_stack_flags();
};

}  // namespace dtrace::codegen
