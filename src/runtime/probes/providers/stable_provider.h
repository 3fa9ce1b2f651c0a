// SPDX-License-Identifier: Apache-2.0
// What proc, sched and their like share: probes that have the same names and arguments on every DTrace, made in D out
// of this kernel's own events (derived_probes.h). A provider is a table.
#pragma once

#include <span>

#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/provider.h"

namespace dtrace::runtime {

/// One definition of a probe. If several rows have the same name, the first one that this kernel supports is used.
struct StableProbe {
  std::string_view name;
  std::string_view types;            ///< of args[n], separated by commas (ProbeDefinition::types)
  std::string_view text;             ///< ProbeDefinition::text
  std::string_view tracepoint = {};  ///< what the kernel must have, by its BTF; empty: nothing
  unsigned least_args = 0;           ///< and how many arguments it must have: they came with time
  unsigned clock_hz = 0;             ///< the kernel's CONFIG_HZ must be this; 0: any
  std::string_view function = {};    ///< which must have an fbt probe; empty: none
  bool by_child = false;             ///< Machine::children_return
  std::string_view module = {};      ///< that has the tracepoint or the function; empty: the core kernel
};

/// A probe of other systems that no event of Linux stands for.
struct AbsentProbe {
  std::string_view name;    ///< "*": any that is not known
  std::string_view reason;  ///< and what to use instead
};

class StableProvider final : public Provider {
 public:
  /// The probe of the first row has `first_ordinal`.
  StableProvider(std::string_view name, std::span<const StableProbe> rows, KernelInfo &kernel,
                 std::span<const AbsentProbe> absent = {}, uint32_t first_ordinal = 0)
      : name_(name), rows_(rows), kernel_(kernel), absent_(absent), first_ordinal_(first_ordinal) {}

  std::string_view name() const override { return name_; }
  ProviderAttributes attributes() const override;
  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override;
  std::optional<ProbeDefinition> definition(const Probe &probe) override;
  Absence why_absent(const ProbeDesc &desc) override;
  std::vector<std::string_view> absent_types(const ProbeDesc &desc) override;
  Result<std::vector<ProbeArg>> args(const Probe &, TypeTable &) override { return std::vector<ProbeArg>{}; }
  ProbeHook hook(const Probe &) override { return {}; }

 private:
  bool is_usable(const StableProbe &row);
  bool is_unloaded(const StableProbe &row);
  bool has_function(const StableProbe &row);

  std::string_view name_;
  std::span<const StableProbe> rows_;
  KernelInfo &kernel_;
  std::span<const AbsentProbe> absent_;
  uint32_t first_ordinal_;
};

}  // namespace dtrace::runtime
