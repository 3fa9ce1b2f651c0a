// SPDX-License-Identifier: Apache-2.0
// Strings. Evaluating one yields an EmittedText and copies as little as it can; the bytes are made where they are
// wanted: in the record, the key or the variable.
#include "codegen/clause/clause.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>

#include "codegen/clause/builtin_values.h"
#include "frontend/lang/probe_part.h"

namespace dtrace {
namespace {

constexpr uint64_t kWholeArrayBytes = 64;  // arrays up to so large are read in one go, not up to their NUL

std::string padded(std::string_view literal, uint32_t size_bytes) {
  std::string bytes(literal.substr(0, std::min<size_t>(literal.find('\0'), size_bytes - 1)));
  bytes.resize(size_bytes, '\0');
  return bytes;
}

EmittedText null_text(ClauseEmitter &e) {
  EmittedText value;
  value.is_null = llvm::ConstantInt::getTrue(e.object().context());
  return value;
}

}  // namespace

// ---------------------------------------------------------------- evaluation

Memory ClauseEmitter::target(const Memory *into, uint32_t size_bytes) {
  return into != nullptr && into->size_bytes >= size_bytes ? Memory{into->pointer, size_bytes, into->slot_offset}
                                                           : scratch(size_bytes);
}

EmittedText ClauseEmitter::text(const tree::Expr &expr, const Memory *into) {
  set_position(expr);
  const TypeTable &types = compilation_.types;
  if (auto *literal = std::get_if<tree::StrConst>(&expr.node)) {
    EmittedText value;
    value.literal = literal->text;
    return value;
  }
  if (std::holds_alternative<tree::IntConst>(expr.node)) return null_text(*this);
  if (auto *builtin = std::get_if<tree::BuiltinRef>(&expr.node)) return emit_text_variable(*this, *builtin);
  if (auto *arg = std::get_if<tree::ArgRef>(&expr.node)) return argument_text(arg->source, into);
  if (auto *call = std::get_if<tree::Call>(&expr.node)) return emit_text_subroutine(*this, *call, expr, into);
  if (auto *assignment = std::get_if<tree::Assign>(&expr.node)) return assign_text(*assignment, expr.type);
  if (auto *comma = std::get_if<tree::Comma>(&expr.node)) {
    evaluate(*comma->lhs);
    return text(*comma->rhs, into);
  }
  if (auto *conditional = std::get_if<tree::Conditional>(&expr.node))
    return conditional_text(*conditional, expr.type, into);
  if (auto *convert = std::get_if<tree::Convert>(&expr.node)) {
    const tree::Expr &operand = *convert->operand;
    if (types.is_string(operand.type)) return text(operand, into);
    if (convert->kind == tree::ConvertKind::kToString) {
      const auto size_bytes = static_cast<uint32_t>(types.size_bytes(expr.type));
      if (types.is_array(operand.type)) return array_text(operand, size_bytes, into);
      if (auto *zero = std::get_if<tree::IntConst>(&operand.node); zero != nullptr && zero->value == 0)
        return null_text(*this);
      llvm::Value *address = scalar(operand);
      set_position(expr);
      return read_text(space_of(operand.type), address, size_bytes, into);
    }
    return text(operand, into);
  }
  return load_text(place(expr, Access::kRead), expr.type);
}

EmittedText ClauseEmitter::read_text(Space space, llvm::Value *address, uint32_t size_bytes, const Memory *into) {
  Memory memory = target(into, size_bytes);
  llvm::Value *size = constant32(size_bytes);
  llvm::Value *length = space == Space::kUser ? copy_in_text(memory.pointer, size, address)
                                              : helper(Helper::kProbeReadKernelStr, {memory.pointer, size, address});
  fault_if(b_.CreateICmpSLT(length, constant(0)), DT_FAULT_BADADDR, address);
  drop_cut(space, length, size_bytes, address);
  EmittedText value;
  value.kind = EmittedText::Kind::kMemory;
  value.pointer = memory.pointer;
  value.size_bytes = size_bytes;
  value.slot_offset = memory.slot_offset;
  value.length = b_.CreateSub(length, constant(1));
  return value;
}

void ClauseEmitter::drop_cut(llvm::Value *is_longer) {
  choose(
      is_longer, object_.i64(),
      [&]() -> llvm::Value * {
        drop(Cause::kStringCut);
        return constant(0);
      },
      [&]() -> llvm::Value * { return constant(0); });
}

void ClauseEmitter::drop_cut(Space space, llvm::Value *with_nul, uint32_t size_bytes, llvm::Value *address) {
  if (size_bytes != compilation_.types.strsize() || !address->getType()->isIntegerTy(64)) return;
  // One that just fits has the same length.
  choose(
      b_.CreateICmpEQ(with_nul, constant(size_bytes)), object_.i64(),
      [&]() -> llvm::Value * {
        library("dt_count_cut",
                {compilation_.drops(), constant32(drop_index(compilation_.layout, Cause::kStringCut, plan_.index)),
                 b_.CreateAdd(address, constant(size_bytes - 1)), constant32(space == Space::kUser ? 1 : 0)});
        return constant(0);
      },
      [&]() -> llvm::Value * { return constant(0); });
}

EmittedText ClauseEmitter::array_text(const tree::Expr &array, uint32_t size_bytes, const Memory *into) {
  const uint64_t count = compilation_.types.size_bytes(array.type);
  Place where = place(array, Access::kRead);
  if (where.kind == Place::Kind::kMemory && size_bytes <= count) {
    // In our own memory, but not surely with a NUL: read it as a string like any other.
    return read_text(Space::kKernel, at(where.pointer, where.off_bits / 8), size_bytes, into);
  }
  if (where.kind == Place::Kind::kAddress && (size_bytes <= count || count > kWholeArrayBytes)) {
    llvm::Value *address = b_.CreateAdd(where.address, constant(where.off_bits / 8));
    return read_text(where.space, address, static_cast<uint32_t>(std::min<uint64_t>(size_bytes, count + 1)), into);
  }
  Memory memory = target(into, static_cast<uint32_t>(count + 1));
  load_bytes(where, memory.pointer, static_cast<uint32_t>(count), 1);
  b_.CreateStore(llvm::ConstantInt::get(object_.i8(), 0), at(memory.pointer, count));
  EmittedText value;
  value.kind = EmittedText::Kind::kMemory;
  value.pointer = memory.pointer;
  value.size_bytes = static_cast<uint32_t>(count + 1);
  value.slot_offset = memory.slot_offset;
  return value;
}

EmittedText ClauseEmitter::conditional_text(const tree::Conditional &node, TypeId type, const Memory *into) {
  const auto size_bytes = static_cast<uint32_t>(compilation_.types.size_bytes(type));
  Memory memory = target(into, size_bytes);
  auto arm = [&](const tree::Expr &expr) -> llvm::Value * {
    EmittedText value = text(expr, &memory);
    if (value.pointer != memory.pointer) copy_text_or_empty(memory.pointer, size_bytes, value);
    return value.is_null != nullptr ? value.is_null : llvm::ConstantInt::getFalse(object_.context());
  };
  llvm::Value *is_null = choose(
      condition(*node.condition), object_.i1(), [&] { return arm(*node.then_value); },
      [&] { return arm(*node.else_value); });
  EmittedText value;
  value.kind = EmittedText::Kind::kMemory;
  value.pointer = memory.pointer;
  value.size_bytes = size_bytes;
  value.slot_offset = memory.slot_offset;
  auto *phi = llvm::cast<llvm::PHINode>(is_null);
  const bool never = std::all_of(phi->incoming_values().begin(), phi->incoming_values().end(), [](llvm::Value *v) {
    auto *number = llvm::dyn_cast<llvm::ConstantInt>(v);
    return number != nullptr && number->isZero();
  });
  if (!never) value.is_null = is_null;
  return value;
}

// ---------------------------------------------------------------- copying

void ClauseEmitter::require_not_null(const EmittedText &value) {
  if (value.is_null != nullptr) fault_if(value.is_null, DT_FAULT_BADADDR, constant(0));
}

Memory ClauseEmitter::bytes_or_null(const EmittedText &value) {
  switch (value.kind) {
    case EmittedText::Kind::kLiteral: {
      const auto size_bytes = static_cast<uint32_t>(value.literal.size() + 1);
      return {object_.constant_bytes(padded(value.literal, size_bytes)), size_bytes, std::nullopt};
    }
    case EmittedText::Kind::kPart: {
      EmittedText real = part_value(value.part);
      return bytes_or_null(real);
    }
    case EmittedText::Kind::kComm: {
      llvm::Value *memory = temporary(kCommBytes, "comm");
      store_comm(memory, kCommBytes);
      return {memory, kCommBytes, std::nullopt};
    }
    case EmittedText::Kind::kMemory:
      return {value.pointer, value.size_bytes, value.slot_offset};
  }
  return {};
}

SlotText ClauseEmitter::slot_text(const EmittedText &value) {
  require_not_null(value);
  if (value.kind == EmittedText::Kind::kLiteral) {
    Memory memory = scratch(static_cast<uint32_t>(value.literal.size() + 1));
    copy_text(memory.pointer, memory.size_bytes, value, true);
    return {*memory.slot_offset, memory.size_bytes, memory.pointer, constant(value.literal.size())};
  }
  if (value.slot_offset && value.length != nullptr)
    return {*value.slot_offset, value.size_bytes, value.pointer, value.length};
  // Reading a string from our own memory copies it and tells its length in one call.
  Memory from = bytes_or_null(value);
  Memory memory = value.slot_offset ? from : scratch(from.size_bytes);
  llvm::Value *with_nul =
      helper(Helper::kProbeReadKernelStr, {memory.pointer, constant32(from.size_bytes), from.pointer});
  return {*memory.slot_offset, from.size_bytes, memory.pointer, b_.CreateSub(with_nul, constant(1))};
}

Memory ClauseEmitter::bytes_of(const EmittedText &value) {
  require_not_null(value);
  return bytes_or_null(value);
}

void ClauseEmitter::store_text(llvm::Value *to, uint32_t size_bytes, const tree::Expr &expr, bool pad, uint32_t align) {
  const Memory wanted{to, size_bytes, std::nullopt};
  // The kernel reads a program's string whole words at a time and leaves what is behind its end as it was, or zero.
  const auto *call = std::get_if<tree::Call>(&expr.node);
  const bool in_place = pad && call != nullptr && call->subr == Builtin::k_copyinstr;
  if (in_place) zero(to, size_bytes, align);
  EmittedText value = text(expr, !pad || in_place ? &wanted : nullptr);
  set_position(expr);
  require_not_null(value);
  if (value.pointer == to) return;
  copy_text(to, size_bytes, value, pad, align);
}

void ClauseEmitter::copy_text(llvm::Value *to, uint32_t size_bytes, const EmittedText &value, bool pad,
                              uint32_t align) {
  if (value.kind == EmittedText::Kind::kLiteral) {
    const uint32_t bytes =
        pad ? size_bytes : std::min<uint32_t>(size_bytes, static_cast<uint32_t>(value.literal.size() + 1));
    copy(to, object_.constant_bytes(padded(value.literal, bytes)), bytes, align);
    return;
  }
  if (value.kind == EmittedText::Kind::kComm) return store_comm(to, size_bytes, align);
  Memory from = bytes_or_null(value);
  const uint32_t bytes = std::min(from.size_bytes, size_bytes);
  const bool from_padded = value.padded || value.kind == EmittedText::Kind::kPart;
  if (pad && !from_padded) {
    zero(to, size_bytes, align);
    helper(Helper::kProbeReadKernelStr, {to, constant32(bytes), from.pointer});
    return;
  }
  copy(to, from.pointer, bytes, align);
  if (pad && size_bytes > bytes) zero_tail(to, bytes, size_bytes);
  if (from.size_bytes > size_bytes) b_.CreateStore(llvm::ConstantInt::get(object_.i8(), 0), at(to, size_bytes - 1));
}

void ClauseEmitter::zero_tail(llvm::Value *memory, uint32_t from, uint32_t to) {
  for (; from < to && from % 8 != 0; from++) b_.CreateStore(llvm::ConstantInt::get(object_.i8(), 0), at(memory, from));
  zero(at(memory, from), to - from);
}

void ClauseEmitter::copy_text_or_empty(llvm::Value *to, uint32_t size_bytes, const EmittedText &value) {
  if (value.is_null == nullptr) return copy_text(to, size_bytes, value, false);
  choose(
      value.is_null, object_.i64(),
      [&]() -> llvm::Value * {
        b_.CreateStore(llvm::ConstantInt::get(object_.i8(), 0), to);
        return constant(0);
      },
      [&]() -> llvm::Value * {
        copy_text(to, size_bytes, value, false);
        return constant(0);
      });
}

void ClauseEmitter::store_comm(llvm::Value *to, uint32_t size_bytes, uint32_t align) {
  // Two loads from the task cost 7 ns with the helper that finds it; the helper for names costs 31. The kernel keeps
  // the name padded with zeros.
  std::optional<uint32_t> offset = compilation_.kernel.offset("task_struct", "comm");
  if (!offset || size_bytes < kCommBytes) {
    zero(to, size_bytes, align);  // 6.1 leaves what is behind the name as it was
    helper(Helper::kComm, {to, constant32(size_bytes)});
    return;
  }
  copy(to, at(task(), *offset), kCommBytes, std::min<uint32_t>(align, *offset % 8 == 0 ? 8 : 4));
  if (size_bytes > kCommBytes) zero_tail(to, kCommBytes, size_bytes);
}

// ---------------------------------------------------------------- parts of the probe's description

namespace {

constexpr uint32_t kProcessDigits = 10;

/// "postgresql*": a provider of any process.
bool leaves_process_open(const std::string &provider) { return provider.ends_with('*'); }

/// The process that `name` adds to such a provider's name; nothing if it is none of its.
std::optional<uint64_t> process_in(const std::string &provider, std::string_view name) {
  const std::string_view stem = std::string_view(provider).substr(0, provider.size() - 1);
  if (!name.starts_with(stem) || name.size() == stem.size() || name[stem.size()] == '0') return std::nullopt;
  uint64_t pid = 0;
  const auto [end, error] = std::from_chars(name.data() + stem.size(), name.data() + name.size(), pid);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(pid) : std::nullopt;
}

}  // namespace

llvm::Value *ClauseEmitter::open_process() {
  const std::vector<ProbeId> &probes = context_.plan->probes;
  const bool any =
      !in_error() && (context_.layout->may_grow || std::any_of(probes.begin(), probes.end(), [&](ProbeId id) {
                        return leaves_process_open(compilation_.input.host.probe(id).provider);
                      }));
  return any ? b_.CreateTrunc(tgid(), object_.i32()) : constant32(0);
}

/// Of a probe that may not have been known when the program was made: the consumer wrote it down before the probe could
/// fire.
EmittedText ClauseEmitter::late_part(Variable part) {
  llvm::AllocaInst *id = local(object_.i32(), "id");
  b_.CreateStore(probe(), id);
  llvm::Value *names = helper(Helper::kMapLookup, {compilation_.names(), id}, object_.pointer());
  fault_if(b_.CreateIsNull(names), DT_FAULT_ILLOP);
  const auto [offset, size_bytes] = [&]() -> std::pair<size_t, size_t> {
    switch (part) {
      case Variable::k_probeprov:
        return {offsetof(dt_names, provider), sizeof(dt_names::provider)};
      case Variable::k_probemod:
        return {offsetof(dt_names, module), sizeof(dt_names::module)};
      case Variable::k_probefunc:
        return {offsetof(dt_names, function), sizeof(dt_names::function)};
      default:
        return {offsetof(dt_names, name), sizeof(dt_names::name)};
    }
  }();
  EmittedText value;
  value.kind = EmittedText::Kind::kMemory;
  value.pointer = at(names, offset);
  value.size_bytes = static_cast<uint32_t>(size_bytes);
  value.padded = true;
  return value;
}

EmittedText ClauseEmitter::part_value(Variable part) {
  const EmittedText value = described_part(part);
  const std::vector<ProbeId> &probes = context_.plan->probes;
  const bool is_open = part == Variable::k_probeprov && !in_error() &&
                       (context_.layout->may_grow || std::any_of(probes.begin(), probes.end(), [&](ProbeId id) {
                          return leaves_process_open(compilation_.input.host.probe(id).provider);
                        }));
  if (!is_open) return value;
  const uint32_t text_bytes =
      value.kind == EmittedText::Kind::kLiteral ? static_cast<uint32_t>(value.literal.size() + 1) : value.size_bytes;
  Memory named = scratch(align_up(text_bytes + kProcessDigits, 8));
  copy_text(named.pointer, text_bytes, value, false);
  library("dt_name_process",
          {slot(), constant32(*named.slot_offset), constant32(text_bytes), b_.CreateTrunc(tgid(), object_.i32())});
  EmittedText result;
  result.kind = EmittedText::Kind::kMemory;
  result.pointer = named.pointer;
  result.size_bytes = named.size_bytes;
  result.slot_offset = named.slot_offset;
  return result;
}

/// As the probe's description has it: a provider of any process ends in `*`.
EmittedText ClauseEmitter::described_part(Variable part) {
  if (context_.layout->may_grow && !in_error()) return late_part(part);
  std::vector<ProbeId> probes = in_error() ? std::vector{compilation_.layout.error_probe} : context_.plan->probes;
  bool alike = true;
  size_t longest = 0;
  const std::string &first = probe_part(compilation_.input.host.probe(probes[0]), part);
  for (ProbeId id : probes) {
    const std::string &field = probe_part(compilation_.input.host.probe(id), part);
    alike &= field == first;
    longest = std::max(longest, field.size());
  }
  EmittedText value;
  if (alike) {
    value.literal = first;
    return value;
  }
  const auto row_bytes = align_up(static_cast<uint32_t>(longest + 1), 8);
  std::string rows;
  for (ProbeId id : probes) rows += padded(probe_part(compilation_.input.host.probe(id), part), row_bytes);
  rows.resize(std::bit_ceil(probes.size()) * row_bytes);
  llvm::Value *index = bounded_index(object_, b_, probe_index(), rows.size() / row_bytes);
  value.kind = EmittedText::Kind::kMemory;
  value.pointer =
      b_.CreateInBoundsGEP(object_.i8(), object_.constant_bytes(rows), b_.CreateMul(index, constant(row_bytes)));
  value.size_bytes = row_bytes;
  value.padded = true;
  return value;
}

/// Of one number of 32 bits per probe of the program, that of the probe that fires.
llvm::Value *ClauseEmitter::picked(const std::vector<uint64_t> &numbers) {
  std::vector<uint64_t> rows = numbers;
  rows.resize(std::bit_ceil(rows.size()));
  llvm::GlobalVariable *table = object_.constant_table(rows, object_.i32());
  llvm::Value *index = bounded_index(object_, b_, probe_index(), rows.size());
  llvm::Value *number = b_.CreateLoad(object_.i32(), b_.CreateInBoundsGEP(object_.i32(), table, index));
  return b_.CreateZExt(number, object_.i64());
}

llvm::Value *ClauseEmitter::late_part_equals(Variable part, const std::string &literal) {
  const EmittedText value = late_part(part);
  auto reads = [&](const std::string &wanted) -> llvm::Value * {
    if (wanted.size() >= value.size_bytes) return llvm::ConstantInt::getFalse(object_.context());
    EmittedText text;
    text.literal = wanted;
    Memory memory = bytes_or_null(text);
    llvm::Value *order =
        helper(Helper::kStrncmp, {value.pointer, constant32(value.size_bytes), memory.pointer}, object_.i32());
    return b_.CreateICmpEQ(order, constant32(0));
  };
  if (part == Variable::k_probefunc) {
    llvm::Value *equal = reads(literal);
    // The kernel has names as the linker has them. The readable ones of probes that are known now:
    CompileHost &host = compilation_.input.host;
    for (ProbeId id : context_.plan->probes)
      if (host.probe(id).function != literal && host.shown_function(id) == literal)
        equal = b_.CreateOr(equal, b_.CreateICmpEQ(probe(), constant32(id.value)));
    return equal;
  }
  if (part != Variable::k_probeprov) return reads(literal);
  if (leaves_process_open(literal)) return llvm::ConstantInt::getFalse(object_.context());
  llvm::Value *equal = reads(literal);
  // "foo123" is process 123 of foo*, or 23 of foo1*, or 3 of foo12*.
  for (size_t stem = literal.size(); stem-- > 1 && std::isdigit(static_cast<unsigned char>(literal[stem])) != 0;) {
    const std::string provider = literal.substr(0, stem) + '*';
    const std::optional<uint64_t> process = process_in(provider, literal);
    if (!process) continue;
    llvm::Value *is_process = b_.CreateICmpEQ(b_.CreateAnd(tgid(), uint64_t{UINT32_MAX}), constant(*process));
    equal = b_.CreateOr(equal, b_.CreateAnd(is_process, reads(provider)));
  }
  return equal;
}

llvm::Value *ClauseEmitter::part_equals(Variable part, const std::string &literal) {
  if (context_.layout->may_grow && !in_error()) return late_part_equals(part, literal);
  std::vector<ProbeId> probes = in_error() ? std::vector{compilation_.layout.error_probe} : context_.plan->probes;
  // Of each probe the process in which it is called so: no process, any, or the one whose number completes the name.
  constexpr uint64_t kNone = 0, kAny = UINT32_MAX;
  std::vector<uint64_t> processes;
  for (ProbeId id : probes) {
    const std::string &field = probe_part(compilation_.input.host.probe(id), part);
    const bool is_open = part == Variable::k_probeprov && leaves_process_open(field);
    const bool is_same =
        field == literal || (part == Variable::k_probefunc && compilation_.input.host.shown_function(id) == literal);
    processes.push_back(is_open ? process_in(field, literal).value_or(kNone) : is_same ? kAny : kNone);
  }
  const bool all_alike =
      std::all_of(processes.begin(), processes.end(), [&](uint64_t process) { return process == processes[0]; });
  if (all_alike && (processes[0] == kNone || processes[0] == kAny))
    return llvm::ConstantInt::getBool(object_.context(), processes[0] == kAny);
  llvm::Value *wanted = all_alike ? constant(processes[0]) : picked(processes);
  llvm::Value *is_any = b_.CreateICmpEQ(wanted, constant(kAny));
  if (std::all_of(processes.begin(), processes.end(), [&](uint64_t p) { return p == kNone || p == kAny; }))
    return is_any;
  return b_.CreateOr(is_any, b_.CreateICmpEQ(b_.CreateAnd(tgid(), uint64_t{UINT32_MAX}), wanted));
}

// ---------------------------------------------------------------- comparison

llvm::Value *ClauseEmitter::compare_values(BinaryOp op, const EmittedText &lhs, const EmittedText &rhs) {
  const bool equality = op == BinaryOp::kEq || op == BinaryOp::kNe;
  auto wanted = [&](llvm::Value *equal) { return op == BinaryOp::kEq ? equal : b_.CreateNot(equal); };
  if (lhs.kind == EmittedText::Kind::kLiteral && rhs.kind != EmittedText::Kind::kLiteral) {
    auto mirrored = [&] {
      switch (op) {
        case BinaryOp::kLt:
          return BinaryOp::kGt;
        case BinaryOp::kGt:
          return BinaryOp::kLt;
        case BinaryOp::kLe:
          return BinaryOp::kGe;
        case BinaryOp::kGe:
          return BinaryOp::kLe;
        default:
          return op;
      }
    };
    return compare_values(mirrored(), rhs, lhs);
  }
  if (lhs.is_null != nullptr || rhs.is_null != nullptr) {  // NULL compares as ""
    const bool left = lhs.is_null != nullptr;
    EmittedText there = left ? lhs : rhs;
    there.is_null = nullptr;
    return choose(
        left ? lhs.is_null : rhs.is_null, llvm::Type::getInt1Ty(object_.context()),
        [&] { return left ? compare_values(op, EmittedText{}, rhs) : compare_values(op, lhs, EmittedText{}); },
        [&] { return left ? compare_values(op, there, rhs) : compare_values(op, lhs, there); });
  }
  if (rhs.kind == EmittedText::Kind::kLiteral) {
    if (lhs.kind == EmittedText::Kind::kPart && equality) return wanted(part_equals(lhs.part, rhs.literal));
    if (lhs.kind == EmittedText::Kind::kComm && equality) return wanted(comm_equals(rhs.literal));
    if (lhs.kind == EmittedText::Kind::kLiteral)
      return compare(op, llvm::ConstantInt::getSigned(object_.i64(), lhs.literal.compare(rhs.literal)), constant(0),
                     true);
    Memory memory = bytes_or_null(lhs);
    Memory literal = bytes_or_null(rhs);
    llvm::Value *order =
        helper(Helper::kStrncmp, {memory.pointer, constant32(memory.size_bytes), literal.pointer}, object_.i32());
    return compare(op, b_.CreateSExt(order, object_.i64()), constant(0), true);
  }
  SlotText left = slot_text(lhs);
  SlotText right = slot_text(rhs);
  const uint32_t most = std::min(left.size_bytes, right.size_bytes);
  llvm::Value *order =
      library("dt_str_compare", {slot(), constant32(left.offset), constant32(right.offset), constant32(most)});
  return compare(op, order, constant(0), true);
}

llvm::Value *ClauseEmitter::comm_equals(const std::string &literal) {
  if (literal.size() >= kCommBytes) return llvm::ConstantInt::getFalse(object_.context());
  llvm::AllocaInst *memory = local_bytes(kCommBytes, "comm");
  store_comm(memory, kCommBytes);
  const std::string wanted = padded(literal, kCommBytes);
  uint64_t words[2];
  std::copy(wanted.begin(), wanted.end(), reinterpret_cast<char *>(words));
  llvm::Value *low = b_.CreateICmpEQ(b_.CreateLoad(object_.i64(), memory), constant(words[0]));
  llvm::Value *high = b_.CreateICmpEQ(b_.CreateLoad(object_.i64(), at(memory, 8)), constant(words[1]));
  return b_.CreateAnd(low, high);
}

}  // namespace dtrace
