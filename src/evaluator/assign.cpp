// SPDX-License-Identifier: Apache-2.0
// Assignment. A value of zero frees an element of an array, and a thread-local variable.
#include <cstring>

#include "evaluator/evaluator.h"

namespace dtrace::evaluator {
namespace {

/// The character of a string variable that is stored to; null: it is none.
const tree::Element *as_character(const TypeTable &types, const tree::Expr &place) {
  const auto *element = std::get_if<tree::Element>(&place.node);
  return element != nullptr && types.is_string(element->base->type) ? element : nullptr;
}

void put_text(std::span<std::byte> to, const std::string &text) {
  std::memset(to.data(), 0, to.size());
  std::memcpy(to.data(), text.data(), std::min(text.size(), to.size() - 1));
}

}  // namespace

uint64_t Evaluator::assign(const tree::Assign &node, TypeId type) {
  const uint64_t value = normalised(number(*node.value), type);
  if (const tree::Element *node_of_text = as_character(parts_.types, *node.place))
    return change_character(*node_of_text, false, [&](uint64_t) { return value; });
  if (const auto *ref = std::get_if<tree::ElemRef>(&node.place->node); ref != nullptr && value == 0) {
    parts_.variables.remove_element(ref->var, element_key(*ref));
  } else if (const auto *variable = std::get_if<tree::VarRef>(&node.place->node);
             variable != nullptr && value == 0 && parts_.variables.find(variable->var) == nullptr) {
    // A variable that was never assigned reads as zero: it need not be made.
  } else {
    store(target(*node.place), type, value);
  }
  return value;
}

uint64_t Evaluator::update(const tree::Expr &expr, TypeId type, bool want_old,
                           const std::function<uint64_t(uint64_t)> &change) {
  if (const tree::Element *node = as_character(parts_.types, expr)) return change_character(*node, want_old, change);
  if (const auto *ref = std::get_if<tree::ElemRef>(&expr.node)) {
    const std::string key = element_key(*ref);
    const uint64_t old = load({.storage = parts_.variables.find_element(ref->var, key)}, type);
    const uint64_t changed = change(old);
    if (changed == 0)
      parts_.variables.remove_element(ref->var, key);
    else
      store({.storage = &parts_.variables.make_element(ref->var, key)}, type, changed);
    return want_old ? old : changed;
  }
  const Target where = target(expr);
  const Place from{.storage = where.storage, .address = where.address, .off_bits = where.off_bits, .bits = where.bits};
  const uint64_t old = load(from, type);
  const uint64_t changed = change(old);
  store(where, type, changed);
  return want_old ? old : changed;
}

uint64_t Evaluator::change_character(const tree::Element &node, bool want_old,
                                     const std::function<uint64_t(uint64_t)> &change) {
  const uint64_t index = number(*node.index), size_bytes = parts_.types.size_bytes(node.base->type);
  const MaybeText value = text(*node.base);
  if (!value) throw Fault{DT_FAULT_BADADDR, index};
  if (index >= size_bytes - 1) throw Fault{DT_FAULT_BADINDEX, index};  // the last byte stays the NUL
  // Behind the end of its text a variable may hold what another text has left there. It becomes zeros.
  std::string changed_text = *value;
  changed_text.resize(size_bytes - 1);
  const TypeId type = parts_.types.char_type();
  const uint64_t old = normalised(static_cast<unsigned char>(changed_text[index]), type);
  const uint64_t changed = change(old);
  changed_text[index] = static_cast<char>(changed);
  const Target where = target(*node.base);
  put_text(bytes_of(where, where.off_bits / 8, size_bytes), changed_text);
  return want_old ? old : changed;
}

MaybeText Evaluator::assign_text(const tree::Assign &node, TypeId type) {
  MaybeText value = text(*node.value);
  if (const auto *ref = std::get_if<tree::ElemRef>(&node.place->node); ref != nullptr && !value) {
    parts_.variables.remove_element(ref->var, element_key(*ref));
    return value;
  }
  const Target where = target(*node.place);
  put_text(bytes_of(where, where.off_bits / 8, parts_.types.size_bytes(type)), value.value_or(""));
  if (where.storage != nullptr && where.off_bits == 0) where.storage->is_null = !value;
  return value;
}

void Evaluator::assign_bytes(const tree::Assign &node, TypeId type) {
  const bool is_zero = std::holds_alternative<tree::IntConst>(node.value->node);
  if (const auto *ref = std::get_if<tree::ElemRef>(&node.place->node); ref != nullptr && is_zero) {
    parts_.variables.remove_element(ref->var, element_key(*ref));
    return;
  }
  const uint64_t size_bytes = parts_.types.size_bytes(type);
  const std::vector<std::byte> value = is_zero ? std::vector<std::byte>(size_bytes) : bytes(*node.value);
  const Target where = target(*node.place);
  const std::span<std::byte> to = bytes_of(where, where.off_bits / 8, size_bytes);
  std::memcpy(to.data(), value.data(), to.size());
}

}  // namespace dtrace::evaluator
