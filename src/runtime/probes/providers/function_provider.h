// SPDX-License-Identifier: Apache-2.0
// What fbt and rawfbt share: the entry and the return of kernel functions. A probe is a kprobe at a function's first
// instruction, or a kretprobe; the context is the registers either way. How they are attached, by one link for all
// (kprobe_multi), by calls out of the functions themselves (fentry, fexit) or one by one, is the plan's and
// attach_kernel_sites.cpp's affair.
//
// A hexadecimal number in place of entry and return is the instruction at that offset, always a kprobe by itself. Where
// instructions begin, the kernel knows: it refuses what is none when the probe is set.
//
// They differ in which functions they have and in what is known of arguments: fbt has the functions by the names they
// have in C, with BTF's types; rawfbt has all symbols, also those the compiler made of a function (name.isra.0), whose
// arguments may have moved, untyped.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/provider.h"
#include "runtime/symbols/kallsyms.h"

namespace dtrace::runtime {

class FunctionProvider final : public GrowingProvider {
 public:
  FunctionProvider(std::string_view name, bool is_raw, KernelInfo &kernel);

  std::string_view name() const override { return name_; }
  ProviderAttributes attributes() const override;
  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override;
  Result<std::vector<ProbeArg>> args(const Probe &probe, TypeTable &types) override;
  Absence why_absent(const ProbeDesc &desc) override;
  ProbeHook hook(const Probe &probe) override;
  std::vector<ProbeHook> later(const ProbeDesc &want) override;
  bool follows_modules(const ProbeDesc &want) override;

 private:
  /// BTF's prototype of a probe's function.
  struct Prototype {
    const BtfIndex *btf = nullptr;
    uint32_t id = 0;
  };
  std::optional<Prototype> prototype(const Probe &probe);
  ProbeHook instruction_hook(const Probe &probe);
  /// Offers the instruction at that offset of functions that match.
  Result<Unit> list_offset(const ProbeDesc &want, uint64_t offset, ProbeSink &sink);
  void set_trampoline(const Probe &probe, UserSite &site);

  std::string_view name_;
  bool is_raw_;
  KernelInfo &kernel_;
  Kallsyms kallsyms_;               ///< where functions end; read when an offset is named
  const ProbeHook entry_, return_;  ///< without sites; made once, for tens of thousands of functions
};

}  // namespace dtrace::runtime
