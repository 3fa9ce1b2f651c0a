// SPDX-License-Identifier: Apache-2.0
// The probes of a recording, as the front end and the planner ask for probes. BEGIN, END and ERROR are always among
// them. Clocks (tick-1s) that were not recorded are made when a description names them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/lang/probe.h"
#include "plan/compile_host.h"
#include "recording/reader.h"

namespace dtrace::replay {

class FileCatalog final : public ProbeCatalog, public CompileHost {
 public:
  using AttributesOf = std::function<ProviderAttributes(std::string_view provider)>;
  /// `recording` outlives the catalog. `attributes`: of providers; null: all are Unstable.
  explicit FileCatalog(const recording::Reader &recording, AttributesOf attributes = {});

  Result<std::vector<ProbeId>> match(const ProbeDesc &desc) override;
  Absence why_absent(const ProbeDesc &desc) override;
  std::optional<ProbeId> by_number(uint64_t number) override;
  /// A number that no probe has gives a probe without a name.
  const Probe &probe(ProbeId id) override;
  Result<std::vector<ProbeArg>> args(ProbeId id, TypeTable &types) override;
  ProviderAttributes attributes(std::string_view provider) override;
  /// Nothing is attached: it says only whether the probe is BEGIN, END, ERROR or another one.
  const ProbeHook &hook(ProbeId id) override;
  const std::string &shown_function(ProbeId id) override;

  /// Null: the recording does not have the probe.
  const recording::Probe *recorded(ProbeId id) const;
  ProbeId begin() const { return begin_; }
  ProbeId end() const { return end_; }
  ProbeId error() const { return error_; }

  /// A clock that was not recorded: it fires by the time of the rows.
  struct Clock {
    ProbeId probe;
    uint64_t period_ns = 0;
  };
  /// In the order of their ids.
  const std::vector<Clock> &clocks() const { return clocks_; }

 private:
  struct Entry {
    Probe probe;
    std::string shown_function;
    const recording::Probe *recorded = nullptr;
  };
  /// Null: there is no such probe.
  const Entry *find(ProbeId id) const;
  /// Adds a probe that was not recorded.
  ProbeId add(uint32_t wanted_id, std::string_view provider, std::string_view name);
  ProbeId find_or_add(uint32_t wanted_id, std::string_view name);
  std::optional<ProbeId> make_clock(const ProbeDesc &desc);

  AttributesOf attributes_;
  std::unordered_map<uint32_t, Entry> probes_;
  std::vector<uint32_t> ids_;  // ascending
  std::vector<Clock> clocks_;
  std::map<std::string, std::set<uint32_t>> matches_;  // of descriptions as the recorded programs have them
  ProbeId begin_, end_, error_;
};

}  // namespace dtrace::replay
