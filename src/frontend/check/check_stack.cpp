// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/check_stack.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_keys.h"

namespace dtrace::check {
namespace {

/// The arguments of stack() and its like, all of integer type; nothing after an error.
std::optional<std::vector<Operand>> integer_arguments(Context &cx, Builtin builtin,
                                                      const std::vector<const ast::Expr *> &args) {
  std::vector<Operand> operands = check_all(cx, args);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].poison()) return std::nullopt;
    if (is_integer(cx, operands[i])) continue;
    report_argument(cx, {row(builtin).name, true}, i + 1, "integer constant", operands[i]);
    return std::nullopt;
  }
  return operands;
}

/// A positive (or from `least`) integer constant.
std::optional<uint32_t> constant_argument(Context &cx, const Operand &operand, int64_t least, Tag tag,
                                          std::string_view what) {
  const std::optional<int64_t> value = narrowed_constant(cx, operand);
  if (!value || *value < least || *value > int64_t{UINT32_MAX}) {
    cx.diags.report(tag, operand.span, "{} must be a {} integer constant", what,
                    least > 0 ? "positive" : "non-negative");
    return std::nullopt;
  }
  return static_cast<uint32_t>(*value);
}

/// A word, then the frames: how a value lies in memory.
constexpr uint64_t kWordBits = 64;

Operand stack_process(Context &cx, const tree::Expr *stack, Span span) {
  return cx.value(cx.types.int_type(), span, tree::Member{stack});
}

Operand stack_frames(Context &cx, const tree::Expr *stack, Span span) {
  const uint64_t most = cx.types.size_bytes(cx.types.stack_type()) / (kWordBits / 8) - 1;
  const TypeId type = cx.types.array_of(cx.types.integer(8, false), most);
  Operand result = cx.value(type, span, tree::Member{stack, kWordBits});
  result.lvalue = result.in_variable = true;
  result.space = Space::kScratch;
  return result;
}

Operand stack_depth(Context &cx, const tree::Expr *stack, Span span) {
  return cx.value(cx.types.integer(4, false), span, tree::StackDepth{stack});
}

Operand is_user_stack(Context &cx, const tree::Expr *stack, Span span) {
  const Operand process = stack_process(cx, stack, span);
  const Operand none = cx.integer(process.type, span, 0);
  return cx.value(cx.types.int_type(), span, tree::Binary{BinaryOp::kNe, process.expr, none.expr});
}

struct StackMember {
  std::string_view name;
  Operand (*check)(Context &cx, const tree::Expr *stack, Span span);
};
constexpr std::array kMembers = {
    StackMember{"addrs", stack_frames},
    StackMember{"depth", stack_depth},
    StackMember{"is_user", is_user_stack},
    StackMember{"pid", stack_process},
};

constexpr int64_t kMaxFrames = 1024;

}  // namespace

Operand check_stack(Context &cx, Builtin builtin, const std::vector<const ast::Expr *> &args, Span span) {
  const bool is_kernel = builtin == Builtin::k_stack;
  const bool is_jstack = builtin == Builtin::k_jstack;
  const Opt option = is_kernel ? Opt::stackframes : is_jstack ? Opt::jstackframes : Opt::ustackframes;
  tree::StackValue value{builtin, static_cast<uint32_t>(cx.options.number(option)),
                         is_jstack ? static_cast<uint32_t>(cx.options.number(Opt::jstackstrsize)) : 0};
  const std::string name = std::string(row(builtin).name) + "( )";
  const std::optional<std::vector<Operand>> given = integer_arguments(cx, builtin, args);
  if (!given) return {};
  if (!args.empty()) {
    const Tag tag = is_kernel ? Tag::D_STACK_SIZE : Tag::D_USTACK_FRAMES;
    const auto frames = constant_argument(cx, (*given)[0], 1, tag, name + " size");
    if (!frames) return {};
    value.frames = *frames;
  }
  if (args.size() > 1) {
    const auto bytes = constant_argument(cx, (*given)[1], 0, Tag::D_USTACK_STRSIZE, name + " string size");
    if (!bytes) return {};
    value.strsize = *bytes;
  }
  // By rules, a user stack is walked as far as is wanted; the kernel walks its own no further than the option's
  // default.
  const int64_t most = is_kernel || cx.options.is_set(Opt::maxframes) ? cx.options.number(Opt::maxframes) : kMaxFrames;
  const bool is_number_given = (!args.empty() || cx.options.is_set(option)) && value.frames <= most;
  if (is_kernel && (!args.empty() || cx.options.is_set(option)) && value.frames > most) {
    cx.diags.warn(Tag::D_STACK_SIZE, span,
                  "stack( ) of {} frames: at most {} are recorded, as option maxframes says; the kernel's own limit is "
                  "kernel.perf_event_max_stack",
                  value.frames, most);
  }
  value.is_asked = is_number_given || cx.options.is_set(Opt::maxframes);
  if (most > 0) value.frames = static_cast<uint32_t>(std::min<int64_t>(value.frames, most));
  if (is_kernel && value.frames > cx.input.max_kernel_frames) {
    cx.diags.warn(Tag::D_STACK_SIZE, span,
                  "stack( ) of {} frames: the kernel records at most {}, as sysctl kernel.perf_event_max_stack says",
                  value.frames, cx.input.max_kernel_frames);
  }
  return cx.value(cx.types.stack_type(), span, value);
}

Operand stack_member(Context &cx, const Operand &stack, const ast::MemberRef &ref, Span span) {
  const auto *const member = std::ranges::find(kMembers, ref.name, &StackMember::name);
  if (member != kMembers.end()) return member->check(cx, stack.expr, span);
  std::array<std::string_view, kMembers.size()> names;
  std::ranges::transform(kMembers, names.begin(), &StackMember::name);
  return unknown_member(cx, stack.type, ref.name, names, ref.name_span);
}

}  // namespace dtrace::check
