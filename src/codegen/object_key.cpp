// SPDX-License-Identifier: Apache-2.0
// What a reader would get wrong: no structure's members are listed here. for_each_member() finds them, so a member that
// is added to a node of the tree or to the plan is part of the key from then on. A structure that it cannot take apart
// does not compile until it has an overload.
//
// Pointers become the numbers in which what they point to was met first: the hash is the same in every process.
#include "codegen/object_key.h"

#include <array>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "digest/digest.h"
#include "digest/members.h"

namespace dtrace::codegen {
namespace {

class KeyWriter {
 public:
  explicit KeyWriter(const TypeTable &types) : types_(types) {}

  ObjectKey finish() { return digest_.finish(); }

  // --- what needs no taking apart
  template <typename T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  void add(T value) {
    digest_.bytes(&value, sizeof value);
  }
  void add(long double value) {
    constexpr size_t kUsed =
        std::numeric_limits<long double>::digits == 64 ? 10 : sizeof value;  // x86: the rest is padding
    digest_.bytes(&value, kUsed);
  }
  void add(std::string_view text) { digest_.text(text); }
  void add(const std::string &text) { digest_.text(text); }

  // --- containers
  template <typename T>
  void add(const std::vector<T> &values) {
    add_all(values);
  }
  void add(const std::vector<bool> &values) {
    add(values.size());
    for (const bool value : values) add(value);
  }
  template <typename T>
  void add(const std::set<T> &values) {
    add_all(values);
  }
  template <typename K, typename V>
    requires(!std::is_pointer_v<K>)
  void add(const std::map<K, V> &values) {
    add_all(values);
  }
  /// Its order is that of addresses.
  template <typename K, typename V>
  void add(const std::map<const K *, V> &values) {
    std::map<uint32_t, const V *> by_number;
    for (const auto &[key, value] : values) by_number.emplace(numbers_.at(key), &value);
    add(by_number.size());
    for (const auto &[number, value] : by_number) {
      add(number);
      add(*value);
    }
  }
  template <typename A, typename B>
  void add(const std::pair<A, B> &pair) {
    add(pair.first);
    add(pair.second);
  }
  template <typename T>
  void add(const std::optional<T> &value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <typename... Ts>
  void add(const std::variant<Ts...> &value) {
    add(value.index());
    std::visit([&](const auto &held) { add(held); }, value);
  }
  template <typename T>
  void add(const std::unique_ptr<T> &pointer) {
    add(static_cast<const T *>(pointer.get()));
  }
  template <typename T>
  void add(const std::shared_ptr<T> &pointer) {
    add(static_cast<const T *>(pointer.get()));
  }
  template <typename T>
  void add(const T *pointer) {
    if (number_of(pointer)) add(*pointer);
  }

  /// Its first character is not its text.
  void add(const char *) = delete;

  // --- all other structures
  template <typename T>
    requires std::is_class_v<T>
  void add(const T &value) {
    for_each_member(value, [&](const auto &member) { add(member); });
  }

  // --- those with meaning elsewhere
  void add(TypeId id);
  void add(const ConversionRow *row) { add(row == nullptr ? std::string_view() : row->name); }
  void add(const tree::Action &action) {
    (void)number_of(&action);
    for_each_member(action, [&](const auto &member) { add(member); });
  }
  void add(const tree::RecordLeaf &record) {
    (void)number_of(&record);
    add(record.leaf);
  }
  void add(const tree::Clause *clause) { add(numbers_.at(clause)); }
  void add(const tree::Clause &clause) {
    (void)number_of(&clause);
    for_each_member(clause, [&](const auto &member) { add(member); });
  }
  /// Without the descriptor.
  void add(const UserFile &file) {
    add(file.path);
    add(file.device);
    add(file.inode);
  }
  void add(const tree::Unit &unit) {
    // Expressions are added from where they are used.
    const auto &[variables, aggregations, providers, exprs, programs, derivations] = unit;
    add(variables);
    add(aggregations);
    add(providers);
    add(programs);
    add(derivations);
  }
  void add(const Layout &layout) {
    // whole_plan is the plan; `where` and `where_also` say again where `programs` has a probe.
    const auto &[whole_plan, plan, clauses, programs, error_clauses, error_probe, globals_bytes, thread_bytes, presence,
                 null_flags, pointed, array_keys, exact, instead, tracepoint_copies, where, where_also] = layout;
    add(plan);
    add(clauses);
    add(programs);
    add(error_clauses);
    add(error_probe);
    add(globals_bytes);
    add(thread_bytes);
    add(presence);
    add(null_flags);
    add(pointed);
    add(array_keys);
    add(exact);
    add(tracepoint_copies);
    add(instead);
    add(where_also);
  }
  void add(const Sources &sources) {
    add(sources.size());
    for (uint32_t i = 0; i < sources.size(); ++i) {
      add(sources[i].name);
      add(sources[i].text);
      add(sources[i].kind);
      add(sources[i].markers);
    }
  }
  void add(const dt_unwind_layout &layout) {
    static_assert(std::has_unique_object_representations_v<dt_unwind_layout>);
    digest_.bytes(&layout, sizeof layout);
  }

 private:
  template <typename Values>
  void add_all(const Values &values) {
    add(values.size());
    for (const auto &value : values) add(value);
  }
  /// Writes the number of what `pointer` points to. True: it is met for the first time.
  bool number_of(const void *pointer) {
    const auto [known, is_new] = numbers_.try_emplace(pointer, static_cast<uint32_t>(numbers_.size()));
    add(pointer == nullptr ? UINT32_MAX : known->second);
    return is_new && pointer != nullptr;
  }

  const TypeTable &types_;
  Digest digest_;
  std::unordered_map<const void *, uint32_t> numbers_;
  std::unordered_map<uint32_t, uint32_t> type_numbers_;
};

/// What can be asked of a type, and of those it is made of; of structures not their members, which are nodes of the
/// tree.
void KeyWriter::add(TypeId id) {
  const auto [known, is_new] = type_numbers_.try_emplace(id.value, static_cast<uint32_t>(type_numbers_.size()));
  add(known->second);
  if (!is_new) return;
  const Type &type = types_[id];
  add(type.kind);
  add(type.is_signed);
  add(type.is_bool);
  add(type.is_char);
  add(type.variadic);
  add(type.qualifiers);
  add(type.space);
  add(type.tag);
  add(type.size_bytes);
  add(type.count);
  add(type.name);
  add(type.module);
  const bool is_complete = types_.is_complete(id);
  add(is_complete);
  add(is_complete ? types_.size_bytes(id) : 0);
  add(types_.is_userland(id));
  add(type.target);
  if (type.kind == TypeKind::kInt) add(types_.first_type(id));
}

}  // namespace

ObjectKey object_key(const CompileInput &input, const Layout &layout, std::string_view identity) {
  // Types are added where something names them. What the host knows is compared by answers().
  const auto &[unit, sources, types, options, host, nr_cpus, listing, machine, with_time, with_thread, in_order] =
      input;
  KeyWriter writer(types);
  writer.add(identity);
  writer.add(machine.name);
  writer.add(nr_cpus);
  writer.add(listing);
  writer.add(with_time);
  writer.add(with_thread);
  writer.add(in_order);
  writer.add(types.strsize());
  writer.add(options.text_of_all({Opt::cache, Opt::cachedir}));
  writer.add(sources);
  writer.add(unit);
  writer.add(layout);
  return writer.finish();
}

}  // namespace dtrace::codegen
