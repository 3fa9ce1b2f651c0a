// SPDX-License-Identifier: Apache-2.0
// Search for types by name. Order: D, C, the kernel's, D libraries on demand, loaded modules. What a reader would get
// wrong: is_type_name() is asked for nearly every identifier and therefore never reads the BTF of modules; find() does
// so for tags only.
#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <new>

#include "frontend/types/types_impl.h"

namespace dtrace {
namespace {

using Kind = BtfIndex::Kind;

struct ScopedName {
  std::string_view module;
  std::string_view name;
};

/// "mod`name" -> its parts; no backquote: no module.
ScopedName split_scope(std::string_view name) {
  const size_t quote = name.find('`');
  if (quote == std::string_view::npos) return {{}, name};
  return {name.substr(0, quote), name.substr(quote + 1)};
}

}  // namespace

TypeTable::Impl::BtfSource &TypeTable::Impl::source_of(const BtfIndex &btf, bool searched) {
  if (last_source == nullptr || last_source->btf != &btf) {
    auto at = std::find_if(sources.begin(), sources.end(), [&btf](const BtfSource &s) { return s.btf == &btf; });
    if (at != sources.end()) {
      last_source = &*at;
    } else {
      const size_t count = size_t{btf.last_id()} + 1 - btf.first_id();
      auto *ids = static_cast<TypeId *>(std::calloc(count + 1, sizeof(TypeId)));
      if (ids == nullptr) throw std::bad_alloc();
      last_source = &sources.emplace_back(BtfSource{&btf, std::unique_ptr<TypeId[], FreeDeleter>(ids), false});
    }
  }
  last_source->searched = last_source->searched || searched;
  return *last_source;
}

void TypeTable::add_btf(const BtfIndex *btf) {
  impl_->source_of(*btf, true);
  ++impl_->generation;
}

void TypeTable::set_module_loader(std::function<std::vector<const BtfIndex *>(std::string_view)> loader) {
  impl_->module_loader = std::move(loader);
  impl_->all_modules_loaded = false;
  ++impl_->generation;
}

void TypeTable::set_fallback(std::function<bool(TagKind, std::string_view)> fallback) {
  impl_->fallback = std::move(fallback);
  ++impl_->generation;
}

void TypeTable::Impl::load_modules(std::string_view name) {
  if (!module_loader || all_modules_loaded) return;
  if (name.empty()) all_modules_loaded = true;
  for (const BtfIndex *btf : module_loader(name)) table.add_btf(btf);
}

std::optional<TypeId> TypeTable::Impl::find_defined(Scope scope, TagKind kind, std::string_view name) {
  const Names &names = names_of(scope, kind);
  const auto at = names.find(name);
  if (at == names.end()) return std::nullopt;
  return at->second;
}

std::optional<TypeId> TypeTable::Impl::find_in_btf(const BtfIndex &btf, TagKind kind, std::string_view name) {
  static constexpr Kind kKinds[][3] = {
      {Kind::kTypedef, Kind::kInt, Kind::kFloat},       // kOrdinary
      {Kind::kStruct, Kind::kUnknown, Kind::kUnknown},  // kStruct
      {Kind::kUnion, Kind::kUnknown, Kind::kUnknown},   // kUnion
      {Kind::kEnum, Kind::kEnum64, Kind::kUnknown},     // kEnum
  };
  for (const Kind btf_kind : kKinds[static_cast<size_t>(kind)]) {
    if (btf_kind == Kind::kUnknown) break;
    if (const std::optional<uint32_t> id = btf.find(name, btf_kind); id) return convert(btf, *id, 0);
  }
  return std::nullopt;
}

std::optional<TypeId> TypeTable::Impl::find_in_module(TagKind kind, std::string_view name, std::string_view module) {
  if (module == "D") {
    const std::optional<TypeId> found = find_defined(kD, kind, name);
    if (found || !is_own_typedef(name)) return found;
    return find_predefined(kind, name);
  }
  if (module == "C") return find_defined(kC, kind, name);
  if (UserTypes *file = user_scope_of(module); file != nullptr) return find_in_user(file, kind, name);
  auto of_module = [&]() -> const BtfIndex * {
    for (const BtfSource &source : sources) {
      if (source.btf->module() == module) return source.btf;
    }
    return nullptr;
  };
  if (of_module() == nullptr) load_modules(module);
  // What a module shares with the kernel is in the kernel's BTF only.
  for (const BtfIndex *btf = of_module(); btf != nullptr; btf = btf->base()) {
    if (const std::optional<TypeId> found = find_in_btf(*btf, kind, name); found) return found;
  }
  return std::nullopt;
}

std::optional<TypeId> TypeTable::Impl::find_by_fallback(TagKind kind, std::string_view name) {
  if (!fallback) return std::nullopt;
  const std::pair asked(kind, name);
  if (std::find(fallback_running.begin(), fallback_running.end(), asked) != fallback_running.end()) return std::nullopt;
  fallback_running.push_back(asked);
  const bool defined = fallback(kind, name);
  fallback_running.pop_back();
  return defined ? find_defined(kD, kind, name) : std::nullopt;
}

std::optional<TypeId> TypeTable::Impl::find_anywhere(TagKind kind, std::string_view name) {
  // A forward declaration in D or C does not hide the complete type of another scope.
  std::optional<TypeId> forward;
  auto complete = [&](std::optional<TypeId> found) {
    if (!found) return false;
    if (type(*found).kind != TypeKind::kForward) return true;
    if (!forward) forward = found;
    return false;
  };
  std::optional<TypeId> found;
  for (const Scope scope : {kD, kC}) {
    if (complete(found = find_defined(scope, kind, name))) return found;
  }
  if (complete(found = find_predefined(kind, name))) return found;
  for (const BtfSource &source : sources) {
    if (source.searched && complete(found = find_in_btf(*source.btf, kind, name))) return found;
  }
  if (complete(found = find_by_fallback(kind, name))) return found;
  if (kind != TagKind::kOrdinary && module_loader && !all_modules_loaded) {
    load_modules({});
    for (const BtfSource &source : sources) {
      if (source.searched && complete(found = find_in_btf(*source.btf, kind, name))) return found;
    }
  }
  return forward;
}

std::optional<TypeId> TypeTable::find(TagKind kind, std::string_view name, std::string_view module) const {
  if (module.empty()) {
    const ScopedName scoped = split_scope(name);
    module = scoped.module;
    name = scoped.name;
  }
  if (name.empty()) return std::nullopt;
  return module.empty() ? impl_->find_anywhere(kind, name) : impl_->find_in_module(kind, name, module);
}

bool TypeTable::is_type_name(std::string_view name) const {
  const ScopedName scoped = split_scope(name);
  if (!scoped.module.empty()) return find(TagKind::kOrdinary, scoped.name, scoped.module).has_value();
  if (impl_->find_defined(Impl::kD, TagKind::kOrdinary, name) ||
      impl_->find_defined(Impl::kC, TagKind::kOrdinary, name)) {
    return true;
  }
  if (Impl::is_predefined_typedef(name)) return true;
  for (const Impl::BtfSource &source : impl_->sources) {
    if (!source.searched) continue;
    if (source.btf->find(name, Kind::kTypedef) || source.btf->find(name, Kind::kInt)) return true;
  }
  return false;
}

bool TypeTable::load_type(std::string_view name) {
  return impl_->find_by_fallback(TagKind::kOrdinary, name).has_value();
}

std::optional<std::pair<TypeId, int64_t>> TypeTable::find_enumerator(std::string_view name) const {
  if (const auto known = impl_->enumerators.find(name); known != impl_->enumerators.end()) return known->second;
  for (const Impl::BtfSource &source : impl_->sources) {
    if (!source.searched) continue;
    if (const auto found = source.btf->find_enumerator(name); found) {
      return std::pair(impl_->convert(*source.btf, found->first, 0), found->second);
    }
  }
  const bool of_boolean = name == "B_FALSE" || name == "B_TRUE";  // of the predefined boolean_t, made when first named
  if (of_boolean && !impl_->find_defined(Impl::kD, TagKind::kOrdinary, "boolean_t")) {
    impl_->find_predefined(TagKind::kOrdinary, "boolean_t");
    if (const auto known = impl_->enumerators.find(name); known != impl_->enumerators.end()) return known->second;
  }
  return std::nullopt;
}

}  // namespace dtrace
