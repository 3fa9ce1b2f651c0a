// SPDX-License-Identifier: Apache-2.0
// Inside of TypeTable, shared by types*.cpp and nobody else. What a reader would get wrong: const members of TypeTable
// change what lies here, since kernel types are converted when first seen; ids and references stay valid all the same
// (slots live in a deque and are never removed).
#pragma once

#include <array>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/types/btf.h"
#include "frontend/types/types.h"
#include "frontend/types/user_types.h"

namespace dtrace {

/// Fixed ids of the types every table begins with.
enum class Base : uint32_t {
  kPoison,
  kVoid,
  kBool,
  kChar,
  kSChar,
  kUChar,
  kShort,
  kUShort,
  kInt,
  kUInt,
  kLong,
  kULong,
  kLongLong,
  kULongLong,
  kFloat,
  kDouble,
  kLongDouble,
  kString,
  kStack,
  kSymbol,
  kUserSymbol,
  kCount,
};

inline constexpr TypeId id_of(Base base) { return TypeId{static_cast<uint32_t>(base)}; }

/// Base type that a C spelling means, words in any order ("long unsigned int"); nothing if it is none.
std::optional<Base> base_by_spelling(std::string_view spelling);

struct TypeTable::Impl {
  explicit Impl(TypeTable &owner) : table(owner) {}

  struct Aggregate {
    std::vector<Member> members;
    std::vector<Enumerator> enumerators;
    std::vector<TypeId> parameters;
    bool converted = false;  // false: still to be read from BTF

    // Index of a struct with many members, filled by the first search.
    std::unordered_map<std::string_view, uint32_t> by_name;  // position in `members`
    std::vector<uint32_t> unnamed;                           // positions of anonymous members
  };

  struct Slot {
    Type type;
    const BtfIndex *btf = nullptr;  // origin, for what is converted lazily
    uint32_t btf_id = 0;
    UserTypes *user = nullptr;  // likewise
    uint32_t user_id = 0;
    std::unique_ptr<Aggregate> aggregate;
    TypeId completed;                  // forward: the complete type, once found
    uint32_t searched_generation = 0;  // forward: value of `generation` at the last search in vain
    bool align_known = true;
  };

  /// One BTF and the ids its types got; ids appear as types are asked for.
  struct FreeDeleter {
    void operator()(TypeId *ids) const { std::free(ids); }
  };
  struct BtfSource {
    const BtfIndex *btf;
    std::unique_ptr<TypeId[], FreeDeleter> ids;  // from calloc: pages of types nobody asks for are never touched
    bool searched;                               // false: only known as the base or target of from_btf
  };

  enum Scope : uint8_t { kD, kC, kScopes };
  using Names = std::unordered_map<std::string_view, TypeId>;

  struct InternKey {
    uint64_t what;   // kind, qualifiers or space, target
    uint64_t count;  // array elements, string size
    bool operator==(const InternKey &) const = default;
  };
  struct InternHash {
    size_t operator()(const InternKey &key) const {
      return static_cast<size_t>((key.what * 0x9e3779b97f4a7c15 ^ key.count) * 0xff51afd7ed558ccd);
    }
  };

  TypeTable &table;
  std::deque<Slot> slots;
  std::deque<std::string> strings;
  std::unordered_map<InternKey, TypeId, InternHash> interned;
  std::map<std::vector<uint32_t>, TypeId> functions;
  std::array<std::array<Names, 4>, kScopes> names;
  std::unordered_map<std::string_view, std::pair<TypeId, int64_t>> enumerators;  // of D and C enums
  std::deque<BtfSource> sources;
  BtfSource *last_source = nullptr;
  std::function<std::vector<const BtfIndex *>(std::string_view)> module_loader;
  bool all_modules_loaded = false;
  std::unordered_map<const UserTypes *, std::vector<TypeId>> user_ids;  // by number in the file
  UserScopeFinder user_scope;
  std::function<bool(TagKind, std::string_view)> fallback;
  std::vector<std::pair<TagKind, std::string_view>> fallback_running;
  Aggregate no_contents;    // of types that have none
  uint32_t generation = 1;  // changes whenever a search in vain might now succeed

  Slot &slot(TypeId id) { return slots[id.value]; }
  Type &type(TypeId id) { return slots[id.value].type; }
  TypeId add(Type type);
  TypeId innermost_element(TypeId id);  // of an array of arrays, complete if it can be; else the type itself
  TypeId intern(InternKey key, const Type &type);
  std::string_view keep(std::string_view text) { return strings.emplace_back(text); }
  Names &names_of(Scope scope, TagKind kind) { return names[scope][static_cast<size_t>(kind)]; }

  // types_lookup.cpp
  std::optional<TypeId> find_defined(Scope scope, TagKind kind, std::string_view name);
  std::optional<TypeId> find_in_btf(const BtfIndex &btf, TagKind kind, std::string_view name);
  std::optional<TypeId> find_in_module(TagKind kind, std::string_view name, std::string_view module);
  std::optional<TypeId> find_anywhere(TagKind kind, std::string_view name);
  std::optional<TypeId> find_by_fallback(TagKind kind, std::string_view name);
  BtfSource &source_of(const BtfIndex &btf, bool searched);
  void load_modules(std::string_view name);

  // types_predefined.cpp
  std::optional<TypeId> find_predefined(TagKind kind, std::string_view name);
  static bool is_predefined_typedef(std::string_view name);
  static bool is_own_typedef(std::string_view name);  // of those, DTrace's: not to be defined again

  // types_btf.cpp
  TypeId convert(const BtfIndex &btf, uint32_t btf_id, unsigned depth);
  TypeId convert_record(const BtfIndex &btf, uint32_t btf_id, const BtfIndex::Record &record, unsigned depth);
  TypeId convert_integer(const BtfIndex &btf, uint32_t btf_id, const BtfIndex::Record &record);
  TypeId convert_pointer(const BtfIndex &btf, uint32_t target, unsigned depth);
  TypeId add_from_btf(const BtfIndex &btf, uint32_t btf_id, Type type);
  void convert_contents(TypeId id);
  uint32_t align_of_kernel_struct(TypeId id, unsigned depth);

  // types_user.cpp
  TypeId convert_user(UserTypes &file, uint32_t id, unsigned depth);
  TypeId convert_user_record(UserTypes &file, uint32_t id, const UserTypes::Record &record, unsigned depth);
  TypeId convert_user_integer(UserTypes &file, uint32_t id, const UserTypes::Record &record);
  TypeId add_from_user(UserTypes &file, uint32_t id, Type type);
  void convert_user_contents(TypeId id);
  UserTypes *user_scope_of(std::string_view module);
  std::optional<TypeId> find_in_user(UserTypes *file, TagKind kind, std::string_view name);

  Aggregate &aggregate(TypeId id);  // with its contents converted
  std::optional<FoundMember> find_member(TypeId id, std::string_view name, unsigned levels, unsigned &nested_left,
                                         bool &has_more);
};

}  // namespace dtrace
