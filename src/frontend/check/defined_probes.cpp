// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/defined_probes.h"

#include <fmt/format.h>

namespace dtrace {

Result<Unit> DefinedProbes::define(ProbeId id) {
  const std::optional<std::string_view> text = catalog_.open_definition(id);
  if (!text) return ok();
  const std::string name = probe(id).text();
  Result<std::vector<ProbeOrigin>> origins = check_(name, *text);
  if (!origins) {
    const Absence absence = catalog_.why_absent({probe(id).provider, "", "", probe(id).name});
    if (absence.reason.empty()) return std::move(origins).error().during(name);
    return Error(fmt::format("{} ({})", origins.error().text(), absence.reason)).during(name);
  }
  catalog_.derive(id, std::move(*origins));
  return ok();
}

Result<std::vector<ProbeId>> DefinedProbes::match(const ProbeDesc &desc) {
  Result<std::vector<ProbeId>> ids = catalog_.match(desc);
  if (!ids || keeps_underivable_) return ids;
  std::optional<Error> why;
  std::erase_if(*ids, [&](ProbeId id) {
    Result<Unit> derived = define(id);
    if (!derived && !why) why = std::move(derived).error();
    return !derived;
  });
  if (ids->empty() && why) return std::move(*why);
  return ids;
}

std::optional<ProbeId> DefinedProbes::by_number(uint64_t number) {
  const std::optional<ProbeId> id = catalog_.by_number(number);
  return id && (keeps_underivable_ || define(*id)) ? id : std::nullopt;
}

Result<std::vector<ProbeArg>> DefinedProbes::args(ProbeId id, TypeTable &types) {
  if (Result<Unit> derived = define(id); !derived) return std::move(derived).error();
  return catalog_.args(id, types);
}

}  // namespace dtrace
