// SPDX-License-Identifier: Apache-2.0
// The built-in variables: one function a row of variables.def.
#include "codegen/clause/builtin_values.h"

namespace dtrace::codegen {
namespace {

using Emit = llvm::Value *(ClauseEmitter &, const tree::BuiltinRef &);

/// A field of the current task, or what a helper says if BTF does not have it.
llvm::Value *task_field_or(ClauseEmitter &e, const char *member, uint64_t size_bytes, bool is_signed, Helper helper,
                           unsigned shift) {
  if (llvm::Value *value = e.task_field(member, size_bytes, is_signed)) return value;
  return e.builder().CreateAnd(e.builder().CreateLShr(e.helper(helper, {}), uint64_t{shift}), uint64_t{0xffffffff});
}

template <unsigned N>
llvm::Value *emit_arg(ClauseEmitter &e, const tree::BuiltinRef &) {
  return e.argument(N);
}

constexpr Emit *var_arg0 = emit_arg<0>, *var_arg1 = emit_arg<1>, *var_arg2 = emit_arg<2>, *var_arg3 = emit_arg<3>,
               *var_arg4 = emit_arg<4>, *var_arg5 = emit_arg<5>, *var_arg6 = emit_arg<6>, *var_arg7 = emit_arg<7>,
               *var_arg8 = emit_arg<8>, *var_arg9 = emit_arg<9>;

/// Never a scalar of its own: args[n] is an ArgRef, strings are texts.
llvm::Value *no_scalar(ClauseEmitter &e, const tree::BuiltinRef &) { return e.constant(0); }
constexpr Emit *var_args = no_scalar, *var_cgrouppath = no_scalar, *var_container = no_scalar, *var_locals = no_scalar,
               *var_pod = no_scalar, *var_cwd = no_scalar, *var_execname = no_scalar, *var_probefunc = no_scalar,
               *var_probemod = no_scalar, *var_probename = no_scalar, *var_probeprov = no_scalar, *var_root = no_scalar,
               *var_zonename = no_scalar;

llvm::Value *var_cpu(ClauseEmitter &e, const tree::BuiltinRef &) {
  return e.builder().CreateZExt(e.cpu(), e.object().i64());
}
llvm::Value *var_curthread(ClauseEmitter &e, const tree::BuiltinRef &) { return e.task_address(); }
llvm::Value *var_id(ClauseEmitter &e, const tree::BuiltinRef &) {
  return e.builder().CreateZExt(e.probe(), e.object().i64());
}
llvm::Value *var_epid(ClauseEmitter &e, const tree::BuiltinRef &) { return e.enabled_probe(); }
llvm::Value *var_errno(ClauseEmitter &e, const tree::BuiltinRef &) { return e.system_call_errno(); }
llvm::Value *var_pid(ClauseEmitter &e, const tree::BuiltinRef &) {
  if (llvm::Value *number = e.own_number(true)) return number;
  return task_field_or(e, "tgid", 4, true, Helper::kPidTgid, 32);
}
llvm::Value *var_tid(ClauseEmitter &e, const tree::BuiltinRef &) {
  if (llvm::Value *number = e.own_number(false)) return number;
  return task_field_or(e, "pid", 4, true, Helper::kPidTgid, 0);
}
llvm::Value *var_nspid(ClauseEmitter &e, const tree::BuiltinRef &) { return e.innermost_number(true); }
llvm::Value *var_nstid(ClauseEmitter &e, const tree::BuiltinRef &) { return e.innermost_number(false); }
llvm::Value *var_cgroup(ClauseEmitter &e, const tree::BuiltinRef &) { return e.cgroup(); }
llvm::Value *var_timestamp(ClauseEmitter &e, const tree::BuiltinRef &) { return e.time(); }

llvm::Value *var_uid(ClauseEmitter &e, const tree::BuiltinRef &) { return e.credential("uid", 0); }
llvm::Value *var_gid(ClauseEmitter &e, const tree::BuiltinRef &) { return e.credential("gid", 32); }

llvm::Value *var_ppid(ClauseEmitter &e, const tree::BuiltinRef &) {
  std::optional<uint32_t> parent = e.compilation().kernel.offset("task_struct", "real_parent");
  std::optional<uint32_t> tgid = e.compilation().kernel.offset("task_struct", "tgid");
  if (!parent || !tgid) return e.constant(0);
  llvm::Value *task = e.typed_pointer(e.task(), *parent);
  if (llvm::Value *number = e.own_number(true, e.builder().CreatePtrToInt(task, e.object().i64()))) return number;
  return e.typed_load(task, *tgid, 4, /*is_signed=*/true);
}

llvm::Value *var_walltimestamp(ClauseEmitter &e, const tree::BuiltinRef &) {
  llvm::Value *offset =
      e.builder().CreateLoad(e.object().i64(), e.at(e.compilation().control(), offsetof(dt_control, boot_wall_offset)));
  return e.builder().CreateAdd(e.time(), offset);
}

llvm::Value *var_elapsed(ClauseEmitter &e, const tree::BuiltinRef &) {
  llvm::Value *start =
      e.builder().CreateLoad(e.object().i64(), e.at(e.compilation().control(), offsetof(dt_control, start)));
  return e.builder().CreateSub(e.time(), start);
}
llvm::Value *var_uptime(ClauseEmitter &e, const tree::BuiltinRef &) { return e.helper(Helper::kKtimeBoot, {}); }

llvm::Value *var_vtimestamp(ClauseEmitter &e, const tree::BuiltinRef &) { return e.cpu_time(); }
llvm::Value *var_ipl(ClauseEmitter &e, const tree::BuiltinRef &ref) {
  const bool asks = ref.index != nullptr && !e.program().plan->hook.is<PerfClockHook>();
  return e.interrupt_level(asks ? e.scalar(*ref.index) : nullptr);
}
llvm::Value *var_caller(ClauseEmitter &e, const tree::BuiltinRef &) { return e.stack_frame(1, false); }
llvm::Value *var_ucaller(ClauseEmitter &e, const tree::BuiltinRef &) {
  const auto *instruction = e.program().plan->hook.as<UserInstructionHook>();
  // The code of an inlined call is its caller's.
  const bool is_inlined = instruction != nullptr && instruction->where == UserInstructionHook::Where::kInline;
  return is_inlined ? e.context_register(e.machine_registers().instruction) : e.stack_frame(1, true);
}
llvm::Value *var_stackdepth(ClauseEmitter &e, const tree::BuiltinRef &) { return e.stack_depth(false); }
llvm::Value *var_ustackdepth(ClauseEmitter &e, const tree::BuiltinRef &) { return e.stack_depth(true); }
llvm::Value *var_uregs(ClauseEmitter &e, const tree::BuiltinRef &ref) {
  const auto *known = std::get_if<tree::IntConst>(&ref.index->node);
  return e.user_register(e.scalar(*ref.index), known != nullptr ? std::optional(known->value) : std::nullopt);
}

llvm::Value *var_regs(ClauseEmitter &e, const tree::BuiltinRef &ref) { return e.fired_register(e.scalar(*ref.index)); }

constexpr Emit *kEmit[] = {
#define VARIABLE(name, type) var_##name,
#include "frontend/lang/variables.def"
};

}  // namespace

llvm::Value *emit_variable(ClauseEmitter &e, const tree::BuiltinRef &ref) {
  return kEmit[static_cast<size_t>(ref.var)](e, ref);
}

EmittedText emit_text_variable(ClauseEmitter &e, const tree::BuiltinRef &ref) {
  EmittedText value;
  switch (ref.var) {
    case Variable::k_execname:
      value.kind = EmittedText::Kind::kComm;
      return value;
    case Variable::k_cgrouppath:
    case Variable::k_container:
    case Variable::k_pod:
    case Variable::k_zonename:
      value.kind = EmittedText::Kind::kCgroup;
      value.part = ref.var;
      return value;
    case Variable::k_cwd:
      return e.directory("pwd");
    case Variable::k_root:
      return e.directory("root");
    default:
      value.kind = EmittedText::Kind::kPart;
      value.part = ref.var;
      return value;
  }
}

}  // namespace dtrace::codegen
