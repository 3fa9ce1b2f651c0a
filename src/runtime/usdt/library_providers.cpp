// SPDX-License-Identifier: Apache-2.0
// Read by the build tools' reader, not by the checker: types are names here too, and need not be known.
#include "runtime/usdt/library_providers.h"

#include "usdt/definition_file.h"
#include "usdt/notes.h"

namespace dtrace::runtime {
namespace {

Result<std::optional<usdt::Provider>> read(const LibraryFile &file, std::string_view name) {
  Sources sources;
  Diagnostics diags;
  const uint32_t source = sources.add(file.path, file.text, SourceKind::kLibrary);
  usdt::DefinitionFile read = usdt::read_definition_file(source, sources, diags);
  if (!diags.ok()) return Error(render(diags.list().front(), sources, {}));
  for (usdt::Provider &provider : read.providers)
    if (provider.name == name) return std::optional(std::move(provider));
  return std::optional<usdt::Provider>();
}

}  // namespace

Result<const usdt::Provider *> LibraryProviders::find(std::string_view name) {
  auto known = known_.find(name);
  if (known == known_.end()) {
    const LibraryFile *file = finder_ ? finder_(name) : nullptr;
    known = known_.emplace(std::string(name), file ? read(*file, name) : std::optional<usdt::Provider>()).first;
  }
  if (!known->second) return Error(known->second.error().text());
  return known->second->has_value() ? &**known->second : nullptr;
}

Result<const usdt::Probe *> LibraryProviders::find(std::string_view provider, std::string_view probe) {
  const Result<const usdt::Provider *> found = find(provider);
  if (!found) return Error(found.error().text());
  if (*found != nullptr)
    for (const usdt::Probe &candidate : (*found)->probes)
      if (usdt::probe_name(candidate.name) == probe) return &candidate;
  return nullptr;
}

}  // namespace dtrace::runtime
