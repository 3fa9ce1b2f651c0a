// SPDX-License-Identifier: Apache-2.0
// The catalog as the checker sees it: probes that a provider defines in D have been checked, and are left out where
// this kernel cannot derive them. The catalog itself knows nothing of the checker.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/lang/probe.h"

namespace dtrace {

class DefinedProbes final : public ProbeCatalog {
 public:
  /// Checks a definition. Errors: the text is no program, or none of its descriptions matches a probe of this kernel.
  using Check = std::function<Result<std::vector<ProbeOrigin>>(const std::string &name, std::string_view text)>;
  /// `catalog` must outlive this.
  DefinedProbes(ProbeCatalog &catalog, Check check) : catalog_(catalog), check_(std::move(check)) {}

  /// From now on match() keeps probes that cannot be derived: for lists of all probes that there are.
  void keep_underivable() { keeps_underivable_ = true; }

  /// Without probes that this kernel cannot derive. An error is returned if nothing else matches.
  Result<std::vector<ProbeId>> match(const ProbeDesc &desc) override;
  Absence why_absent(const ProbeDesc &desc) override { return catalog_.why_absent(desc); }
  std::optional<ProbeId> by_number(uint64_t number) override;
  const Probe &probe(ProbeId id) override { return catalog_.probe(id); }
  Result<std::vector<ProbeArg>> args(ProbeId id, TypeTable &types) override;
  std::vector<ProbeArg> absent_args(const ProbeDesc &desc, TypeTable &types) override {
    return catalog_.absent_args(desc, types);
  }
  Result<ProbeArg> local(ProbeId id, std::string_view name, TypeTable &types) override {
    return catalog_.local(id, name, types);
  }
  std::vector<ProbeArg> locals(ProbeId id, TypeTable &types) override { return catalog_.locals(id, types); }
  std::string missing_argument(ProbeId id, unsigned n, TypeTable &types) override {
    return catalog_.missing_argument(id, n, types);
  }
  UserScope *user_scope(ProbeId id) override { return catalog_.user_scope(id); }
  std::string layout_difference(ProbeId id, const ProbeArg &arg, TypeTable &types) override {
    return catalog_.layout_difference(id, arg, types);
  }
  ProviderAttributes attributes(std::string_view provider) override { return catalog_.attributes(provider); }

 private:
  /// Checks the probe's definition, if it has one that has not been checked yet.
  Result<Unit> define(ProbeId id);

  ProbeCatalog &catalog_;
  Check check_;
  bool keeps_underivable_ = false;
};

}  // namespace dtrace
