// SPDX-License-Identifier: Apache-2.0
// D variables. Reads of what does not exist read zeros, from a constant; only writes make storage, and a write of zero
// makes none.
#include "codegen/clause/clause.h"

namespace dtrace::codegen {
namespace {

constexpr uint64_t kStorageCreate = 1;  // BPF_LOCAL_STORAGE_GET_F_CREATE
constexpr uint64_t kUpdateAny = 0;      // BPF_ANY
constexpr uint64_t kUpdateNoExist = 1;  // BPF_NOEXIST

bool is_zero(llvm::Value *value) {
  auto *number = llvm::dyn_cast<llvm::ConstantInt>(value);
  return number != nullptr && number->isZero();
}

}  // namespace

// ---------------------------------------------------------------- storage

llvm::Value *ClauseEmitter::thread_storage(Access access) {
  auto get = [&](uint64_t flags) {
    return helper(
        Helper::kTaskStorageGet,
        {compilation_.thread_storage(), task(), llvm::ConstantPointerNull::get(object_.pointer()), constant(flags)},
        object_.pointer());
  };
  if (access == Access::kRead) return lazy(kCellThread, object_.pointer(), [&] { return get(0); });
  if (frame_.thread_created) return *known(kCellThread);
  std::optional<llvm::Value *> seen = known(kCellThread);
  llvm::Value *before = seen ? *seen : b_.CreateLoad(object_.pointer(), firing_cell(kCellThread));
  frame_.known.erase(kCellThread);
  llvm::Value *made = choose(
      b_.CreateIsNull(before), object_.pointer(),
      [&] {
        llvm::Value *created = get(kStorageCreate);
        b_.CreateStore(created, firing_cell(kCellThread));
        when(b_.CreateIsNull(created), [&] { drop(Cause::kThreadLocal); });
        return created;
      },
      [&] { return before; });
  remember(kCellThread, made);
  frame_.thread_created = frame_.depth == 0;
  return made;
}

Place ClauseEmitter::variable(tree::VarId var, Access access) {
  const tree::VariableInfo &info = compilation_.input.unit.variables[var.value];
  const VariablePlan &plan = compilation_.layout.plan.variables[var.value];
  Place where;
  switch (info.scope) {
    case Scope::kGlobal:
      where.pointer = at(compilation_.globals(), plan.offset);
      where.null_flag = compilation_.layout.null_flags[var.value];
      where.storage = compilation_.globals();
      return where;
    case Scope::kClause:
      if (compilation_.types.is_scalar(info.type)) {
        where.pointer = firing_cell(context_.this_cells.at(var.value));
      } else {
        where.pointer = where.storage = at(slot(), compilation_.this_offset(var.value, in_error()));
        where.null_flag = compilation_.layout.null_flags[var.value];
      }
      return where;
    case Scope::kThread:
      break;
  }
  llvm::Value *storage = thread_storage(access);
  if (access == Access::kWrite) {
    where.missing = b_.CreateIsNull(storage);
  } else {
    storage =
        b_.CreateSelect(b_.CreateIsNull(storage), compilation_.object.zeros(compilation_.layout.thread_bytes), storage);
  }
  where.pointer = at(storage, plan.offset);
  if (compilation_.types.is_string(info.type)) {
    where.presence = compilation_.layout.presence[var.value];
    where.storage = storage;
  }
  return where;
}

llvm::Value *ClauseEmitter::array_key(const tree::ElemRef &ref) {
  const VariablePlan &plan = compilation_.layout.plan.variables[ref.var.value];
  const std::vector<ValuePlan> &fields = compilation_.layout.array_keys[ref.var.value];
  Memory key = key_memory(plan.key_bytes);
  const bool of_thread = compilation_.input.unit.variables[ref.var.value].scope == Scope::kThread;
  if (of_thread) {
    // Thread ids are used again; with the start time they are not.
    llvm::Value *started = task_field("start_time", 8, false);
    b_.CreateStore(started != nullptr ? started : constant(0), key.pointer);
    llvm::Value *tid = task_field("pid", 4, false);
    if (tid == nullptr) tid = helper(Helper::kPidTgid, {});
    b_.CreateStore(b_.CreateTrunc(tid, object_.i32()), at(key.pointer, 8));
  }
  uint32_t reserved = of_thread ? 12 : 0;
  if (plan.shares_map) {
    b_.CreateStore(constant32(ref.var.value), at(key.pointer, reserved));
    reserved += 4;
  }
  store_key(key.pointer, fields, ref.keys, reserved, plan.key_bytes);
  return key.pointer;
}

Place ClauseEmitter::element(const tree::ElemRef &ref, Access access) {
  llvm::Value *key = array_key(ref);
  Place where;
  where.array = ref.var.value;
  where.key = key;
  llvm::GlobalVariable *map = compilation_.array(ref.var.value);
  llvm::Value *zeros =
      object_.zeros(std::max<uint32_t>(compilation_.layout.plan.variables[ref.var.value].size_bytes, 8));
  llvm::Value *found = helper(Helper::kMapLookup, {map, key}, object_.pointer());
  if (access == Access::kRead) {
    where.missing = b_.CreateIsNull(found);
    where.pointer = b_.CreateSelect(where.missing, zeros, found);
    return where;
  }
  where.pointer = choose(
      b_.CreateIsNull(found), object_.pointer(),
      [&] {
        helper(Helper::kMapUpdate, {map, key, zeros, constant(kUpdateNoExist)});
        llvm::Value *made = helper(Helper::kMapLookup, {map, key}, object_.pointer());
        when(b_.CreateIsNull(made), [&] { drop(Cause::kDynamicFull); });
        return made;
      },
      [&] { return found; });
  where.missing = b_.CreateIsNull(where.pointer);
  return where;
}

// ---------------------------------------------------------------- scalar assignment

namespace {

const tree::ElemRef *as_element(const tree::Expr &place) { return std::get_if<tree::ElemRef>(&place.node); }

/// The character of a string variable that is stored to; null: it is none.
const tree::Element *as_character(const TypeTable &types, const tree::Expr &place) {
  const auto *element = std::get_if<tree::Element>(&place.node);
  return element != nullptr && types.is_string(element->base->type) ? element : nullptr;
}

bool is_thread_variable(const tree::Unit &unit, const tree::Expr &place) {
  auto *ref = std::get_if<tree::VarRef>(&place.node);
  return ref != nullptr && unit.variables[ref->var.value].scope == Scope::kThread;
}

}  // namespace

void ClauseEmitter::store_element(uint32_t variable, llvm::Value *key, llvm::Value *found, llvm::Value *value) {
  llvm::GlobalVariable *map = compilation_.array(variable);
  llvm::IntegerType *type = object_.integer(compilation_.layout.plan.variables[variable].size_bytes);
  auto remove = [&] { when(b_.CreateIsNotNull(found), [&] { helper(Helper::kMapDelete, {map, key}); }); };
  if (is_zero(value)) return remove();
  auto put = [&]() -> llvm::Value * {
    llvm::Value *narrow = b_.CreateTrunc(value, type);
    return choose(
        b_.CreateIsNull(found), object_.i64(),
        [&]() -> llvm::Value * {
          b_.CreateStore(narrow, frame_.word);
          llvm::Value *error = helper(Helper::kMapUpdate, {map, key, frame_.word, constant(kUpdateAny)});
          when(b_.CreateICmpNE(error, constant(0)), [&] { drop(Cause::kDynamicFull); });
          return constant(0);
        },
        [&]() -> llvm::Value * {
          b_.CreateStore(narrow, found);
          return constant(0);
        });
  };
  if (llvm::isa<llvm::ConstantInt>(value)) {
    put();
    return;
  }
  choose(
      b_.CreateICmpEQ(value, constant(0)), object_.i64(),
      [&]() -> llvm::Value * {
        remove();
        return constant(0);
      },
      put);
}

llvm::Value *ClauseEmitter::assign(const tree::Assign &node, TypeId type) {
  if (const tree::ElemRef *ref = as_element(*node.place)) {
    llvm::Value *value = normalise(scalar(*node.value), type);
    llvm::Value *key = array_key(*ref);
    llvm::Value *found = helper(Helper::kMapLookup, {compilation_.array(ref->var.value), key}, object_.pointer());
    store_element(ref->var.value, key, found, value);
    return value;
  }
  llvm::Value *value = normalise(scalar(*node.value), type);
  set_position(*node.place);
  if (const tree::Element *character = as_character(compilation_.types, *node.place))
    return change_character(*character, false, [&](llvm::Value *) { return value; });
  if (is_zero(value) && is_thread_variable(compilation_.input.unit, *node.place)) {
    // Absent storage reads as zero already.
    auto *ref = std::get_if<tree::VarRef>(&node.place->node);
    llvm::Value *storage = thread_storage(Access::kRead);
    Place where;
    where.pointer = at(storage, compilation_.layout.plan.variables[ref->var.value].offset);
    where.missing = b_.CreateIsNull(storage);
    store(where, type, value);
    return value;
  }
  store(place(*node.place, Access::kWrite), type, value);
  return value;
}

llvm::Value *ClauseEmitter::update(const tree::Expr &expr, TypeId type, bool want_old,
                                   const std::function<llvm::Value *(llvm::Value *)> &change) {
  if (const tree::ElemRef *ref = as_element(expr)) {
    llvm::Value *key = array_key(*ref);
    llvm::Value *found = helper(Helper::kMapLookup, {compilation_.array(ref->var.value), key}, object_.pointer());
    llvm::Value *old = choose(
        b_.CreateIsNull(found), object_.i64(), [&] { return constant(0); },
        [&] {
          Place where;
          where.pointer = found;
          return load(where, type);
        });
    llvm::Value *changed = change(old);
    store_element(ref->var.value, key, found, changed);
    return want_old ? old : changed;
  }
  if (const tree::Element *character = as_character(compilation_.types, expr))
    return change_character(*character, want_old, change);
  Place where = place(expr, Access::kWrite);
  llvm::Value *old =
      where.missing == nullptr
          ? load(where, type)
          : choose(where.missing, object_.i64(), [&] { return constant(0); }, [&] { return load(where, type); });
  llvm::Value *changed = change(old);
  store(where, type, changed);
  return want_old ? old : changed;
}

// ---------------------------------------------------------------- strings and structures

llvm::Value *ClauseEmitter::text_to_change(const tree::Expr &variable, llvm::Value *index) {
  if (const tree::ElemRef *ref = as_element(variable)) {
    llvm::Value *found =
        helper(Helper::kMapLookup, {compilation_.array(ref->var.value), array_key(*ref)}, object_.pointer());
    fault_if(b_.CreateIsNull(found), DT_FAULT_BADADDR, index);
    return found;
  }
  Place where = place(variable, Access::kWrite);
  if (where.missing != nullptr) fault_if(where.missing, DT_FAULT_BADADDR, index);
  where.missing = nullptr;
  EmittedText value = load_text(where, variable.type);
  require_not_null(value, index);
  return value.pointer;
}

llvm::Value *ClauseEmitter::change_character(const tree::Element &character, bool want_old,
                                             const std::function<llvm::Value *(llvm::Value *)> &change) {
  const auto size_bytes = static_cast<uint32_t>(compilation_.types.size_bytes(character.base->type));
  llvm::Value *index = opaque(scalar(*character.index));
  set_position(*character.base);
  llvm::Value *variable = text_to_change(*character.base, index);
  // The last byte stays the NUL.
  fault_if(b_.CreateICmpUGE(index, constant(size_bytes - 1)), DT_FAULT_BADINDEX, index);
  // Behind the end of its text a variable may hold what another text has left there. The copy has zeros.
  Memory copied = scratch(size_bytes);
  zero(copied.pointer, size_bytes);
  helper(Helper::kProbeReadKernelStr, {copied.pointer, constant32(size_bytes), variable});
  llvm::Value *position = b_.CreateGEP(object_.i8(), copied.pointer, opaque(index));
  const TypeId type = compilation_.types.char_type();
  Place where;
  where.pointer = position;
  llvm::Value *old = load(where, type);
  llvm::Value *changed = change(old);
  store(where, type, changed);
  copy(variable, copied.pointer, size_bytes);
  return want_old ? old : changed;
}

EmittedText ClauseEmitter::assign_text(const tree::Assign &node, TypeId type) {
  const auto size_bytes = static_cast<uint32_t>(compilation_.types.size_bytes(type));
  EmittedText value = text(*node.value);
  set_position(*node.place);
  if (const tree::ElemRef *ref = as_element(*node.place)) {
    llvm::Value *key = array_key(*ref);
    llvm::GlobalVariable *map = compilation_.array(ref->var.value);
    if (value.is_null != nullptr) {
      // NULL frees the element; what follows is for other strings.
      choose(
          value.is_null, object_.i64(),
          [&]() -> llvm::Value * {
            helper(Helper::kMapDelete, {map, key});
            return constant(0);
          },
          [&]() -> llvm::Value * {
            put_text_element(map, key, value, size_bytes);
            return constant(0);
          });
    } else {
      put_text_element(map, key, value, size_bytes);
    }
    return value;
  }
  Place where = place(*node.place, Access::kWrite);
  if (where.kind == Place::Kind::kAddress) {
    llvm::Value *to =
        writable(b_.CreateAdd(where.address, constant(where.off_bits / 8)), constant(size_bytes), size_bytes);
    copy_text_or_empty(to, size_bytes, value);
    return value;
  }
  when_there(where, [&] {
    llvm::Value *to = at(where.pointer, where.off_bits / 8);
    copy_text_or_empty(to, size_bytes, value);
    if (where.null_flag) {
      llvm::IntegerType *byte = object_.integer(1);
      llvm::Value *is_null =
          value.is_null == nullptr ? llvm::ConstantInt::get(byte, 0) : b_.CreateZExt(value.is_null, byte);
      b_.CreateStore(is_null, at(where.storage, *where.null_flag));
    }
    if (!where.presence) return;
    llvm::Value *set = value.is_null == nullptr ? llvm::ConstantInt::get(object_.i8(), 1)
                                                : b_.CreateZExt(b_.CreateNot(value.is_null), object_.i8());
    b_.CreateStore(set, at(where.storage, *where.presence));
  });
  return value;
}

void ClauseEmitter::put_text_element(llvm::GlobalVariable *map, llvm::Value *key, const EmittedText &value,
                                     uint32_t size_bytes) {
  llvm::Value *found = helper(Helper::kMapLookup, {map, key}, object_.pointer());
  choose(
      b_.CreateIsNull(found), object_.i64(),
      [&]() -> llvm::Value * {
        Memory memory = scratch(size_bytes);
        copy_text(memory.pointer, size_bytes, value, false);
        llvm::Value *error = helper(Helper::kMapUpdate, {map, key, memory.pointer, constant(kUpdateAny)});
        when(b_.CreateICmpNE(error, constant(0)), [&] { drop(Cause::kDynamicFull); });
        return constant(0);
      },
      [&]() -> llvm::Value * {
        copy_text(found, size_bytes, value, false);
        return constant(0);
      });
}

void ClauseEmitter::assign_bytes(const tree::Assign &node, TypeId type) {
  const auto size_bytes = static_cast<uint32_t>(compilation_.types.size_bytes(type));
  const bool zero_value = std::holds_alternative<tree::IntConst>(node.value->node);
  if (const tree::ElemRef *ref = as_element(*node.place); ref != nullptr && zero_value) {
    helper(Helper::kMapDelete, {compilation_.array(ref->var.value), array_key(*ref)});
    return;
  }
  // Through scratch: the value may be read from where it goes, and a fault must not leave half of it.
  Memory memory = scratch(size_bytes);
  if (zero_value) {
    zero(memory.pointer, size_bytes);
  } else {
    bytes_into(*node.value, memory.pointer, size_bytes);
  }
  Place where = place(*node.place, Access::kWrite);
  when_there(where, [&] {
    llvm::Value *to =
        where.kind == Place::Kind::kMemory
            ? at(where.pointer, where.off_bits / 8)
            : writable(b_.CreateAdd(where.address, constant(where.off_bits / 8)), constant(size_bytes), size_bytes);
    copy(to, memory.pointer, size_bytes);
  });
}

}  // namespace dtrace::codegen
