// SPDX-License-Identifier: Apache-2.0
// Types of user programs: records of debug information become D types when asked for, members of structs when looked
// at. What a reader would get wrong: every pointer in them points into user space, and their integers of C's spelling
// and size are D's own, so that values of both can be mixed.
#include <algorithm>
#include <utility>

#include "frontend/types/types_impl.h"
#include "frontend/types/user_types.h"

namespace dtrace {
namespace {

/// Longest chain of pointers, qualifiers, typedefs and arrays that is followed; what lies behind is void.
constexpr unsigned kMaxUserDepth = 64;

bool is_value_size(uint64_t size_bytes) {
  return size_bytes == 1 || size_bytes == 2 || size_bytes == 4 || size_bytes == 8;
}

}  // namespace

TypeId TypeTable::from_user(UserTypes &file, uint32_t id) { return impl_->convert_user(file, id, 0); }

void TypeTable::set_user_scope(UserScopeFinder finder) {
  impl_->user_scope = std::move(finder);
  ++impl_->generation;
}

TypeId TypeTable::Impl::convert_user(UserTypes &file, uint32_t id, unsigned depth) {
  if (id == 0 || depth > kMaxUserDepth) return id_of(Base::kVoid);
  // Conversion may grow the list: it is looked up anew each time.
  if (std::vector<TypeId> &known = user_ids[&file]; id < known.size() && known[id]) return known[id];
  const TypeId made = convert_user_record(file, id, file.record(id), depth);
  std::vector<TypeId> &known = user_ids[&file];
  if (id >= known.size()) known.resize(id + 1);
  return known[id] = made;
}

TypeId TypeTable::Impl::add_from_user(UserTypes &file, uint32_t id, Type type) {
  type.module = file.module();
  const TypeId made = add(type);
  Slot &slot = this->slot(made);
  slot.user = &file;
  slot.user_id = id;
  return made;
}

TypeId TypeTable::Impl::convert_user_integer(UserTypes &file, uint32_t id, const UserTypes::Record &record) {
  if (record.is_bool && record.size_bytes == 1) return id_of(Base::kBool);
  if (const std::optional<Base> base = base_by_spelling(record.name);
      base && type(id_of(*base)).size_bytes == record.size_bytes && type(id_of(*base)).is_signed == record.is_signed)
    return id_of(*base);
  Type made;
  made.kind = TypeKind::kInt;
  made.name = record.name;
  made.size_bytes = record.size_bytes == 16 || is_value_size(record.size_bytes) ? record.size_bytes : 8;
  made.align_bytes = static_cast<uint32_t>(made.size_bytes);
  made.is_signed = record.is_signed;
  made.is_bool = record.is_bool;
  made.is_char = record.is_char;
  return add_from_user(file, id, made);
}

TypeId TypeTable::Impl::convert_user_record(UserTypes &file, uint32_t id, const UserTypes::Record &record,
                                            unsigned depth) {
  Type made;
  made.kind = record.kind;
  made.name = record.name;
  made.tag = record.tag;
  made.size_bytes = record.size_bytes;
  const auto target = [&] { return convert_user(file, record.target, depth + 1); };
  const auto with_contents = [&] {
    const TypeId result = add_from_user(file, id, made);
    slot(result).aggregate = std::make_unique<Aggregate>();
    return result;
  };
  switch (record.kind) {
    case TypeKind::kInt:
      return convert_user_integer(file, id, record);
    case TypeKind::kFloat:
      if (record.size_bytes == 4 || record.size_bytes == 8 ||
          (record.size_bytes == 16 && record.name == table.name(id_of(Base::kLongDouble))))
        return table.floating(record.size_bytes);
      made.is_signed = true;
      made.align_bytes = static_cast<uint32_t>(std::clamp<uint64_t>(record.size_bytes, 1, 16));
      return add_from_user(file, id, made);
    case TypeKind::kPointer:
      return table.pointer_to(target(), Space::kUser);
    case TypeKind::kArray:
      return table.array_of(target(), record.count);
    case TypeKind::kStruct:
    case TypeKind::kUnion: {
      const TypeId result = with_contents();
      slot(result).align_known = false;
      return result;
    }
    case TypeKind::kEnum:
      made.size_bytes = is_value_size(record.size_bytes) ? record.size_bytes : 4;
      made.align_bytes = static_cast<uint32_t>(made.size_bytes);
      made.is_signed = record.is_signed;
      return with_contents();
    case TypeKind::kForward:
      return add_from_user(file, id, made);
    case TypeKind::kTypedef:
      made.target = target();
      made.size_bytes = 0;
      return add_from_user(file, id, made);
    case TypeKind::kQualified:
      return table.qualified(target(), record.qualifiers);
    case TypeKind::kFunction:
      made.target = target();
      made.variadic = record.is_variadic;
      return with_contents();
    default:
      return id_of(Base::kVoid);
  }
}

void TypeTable::Impl::convert_user_contents(TypeId id) {
  Slot &slot = this->slot(id);
  Aggregate &contents = *slot.aggregate;
  UserTypes &file = *slot.user;
  switch (slot.type.kind) {
    case TypeKind::kStruct:
    case TypeKind::kUnion:
      for (const UserTypes::RawMember &raw : file.members(slot.user_id))
        contents.members.push_back({raw.name, convert_user(file, raw.type, 0), raw.off_bits, raw.bits});
      break;
    case TypeKind::kEnum:
      contents.enumerators = file.enumerators(slot.user_id);
      break;
    default:
      for (const UserTypes::Id parameter : file.parameters(slot.user_id))
        contents.parameters.push_back(convert_user(file, parameter, 0));
  }
}

UserTypes *TypeTable::Impl::user_scope_of(std::string_view module) { return user_scope ? user_scope(module) : nullptr; }

std::optional<TypeId> TypeTable::Impl::find_in_user(UserTypes *file, TagKind kind, std::string_view name) {
  if (file == nullptr) return std::nullopt;
  const std::optional<UserTypes::Id> found = file->find(kind, name);
  return found ? std::optional(convert_user(*file, *found, 0)) : std::nullopt;
}

std::optional<TypeId> TypeTable::find_with_user_scope(TagKind kind, std::string_view name) const {
  if (!impl_->user_scope || name.find('`') != std::string_view::npos) return find(kind, name);
  for (const Impl::Scope scope : {Impl::kD, Impl::kC}) {
    const std::optional<TypeId> found = impl_->find_defined(scope, kind, name);
    if (found && impl_->type(*found).kind != TypeKind::kForward) return found;
  }
  if (const std::optional<TypeId> found = impl_->find_predefined(kind, name)) return found;
  if (const std::optional<TypeId> found = impl_->find_by_fallback(kind, name)) return found;
  if (const std::optional<TypeId> found = impl_->find_in_user(impl_->user_scope_of({}), kind, name)) return found;
  return find(kind, name);
}

std::optional<std::pair<TypeId, int64_t>> TypeTable::find_user_enumerator(std::string_view name) const {
  const size_t quote = name.find('`');
  const std::string_view module = quote == std::string_view::npos ? std::string_view() : name.substr(0, quote);
  UserTypes *file = impl_->user_scope_of(module);
  if (file == nullptr) return std::nullopt;
  const auto found = file->find_enumerator(quote == std::string_view::npos ? name : name.substr(quote + 1));
  if (!found) return std::nullopt;
  return std::pair(impl_->convert_user(*file, found->first, 0), found->second);
}

std::string_view TypeTable::class_name(TypeId id) const {
  const Impl::Slot &slot = impl_->slot(resolve(id));
  const bool is_record = slot.type.kind == TypeKind::kStruct || slot.type.kind == TypeKind::kUnion ||
                         (slot.type.kind == TypeKind::kForward && slot.type.tag != TagKind::kEnum);
  return slot.user != nullptr && is_record ? slot.user->full_name(slot.user_id) : std::string_view();
}

std::optional<TypeId> TypeTable::template_argument(TypeId id, std::string_view name) const {
  const Impl::Slot &slot = impl_->slot(resolve(id));
  if (slot.user == nullptr) return std::nullopt;
  const std::optional<UserTypes::Id> found = slot.user->template_argument(slot.user_id, name);
  return found ? std::optional(impl_->convert_user(*slot.user, *found, 0)) : std::nullopt;
}

bool TypeTable::is_of_user(TypeId id) const {
  // Ends: targets of typedefs, qualifiers and arrays are older than what is made of them.
  for (;;) {
    const Impl::Slot &slot = impl_->slot(id);
    if (slot.user != nullptr) return true;
    const TypeKind kind = slot.type.kind;
    if (kind != TypeKind::kTypedef && kind != TypeKind::kQualified && kind != TypeKind::kArray &&
        kind != TypeKind::kPointer)
      return false;
    id = slot.type.target;
  }
}

}  // namespace dtrace
