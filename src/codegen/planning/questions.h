// SPDX-License-Identifier: Apache-2.0
// What emission asks beyond the tree and the layout: offsets in kernel structures, names of probes. The questions are
// kept with the object, and the object is used again only if the answers are the same.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "frontend/types/types.h"
#include "plan/compile_host.h"

namespace dtrace::codegen {

struct Question {
  enum class Kind : uint8_t { kMember, kProbe, kShownFunction, kFeature, kPidNamespace };
  Kind kind = Kind::kPidNamespace;
  uint32_t number = 0;           ///< of a probe or feature
  std::string outer{}, inner{};  ///< structure and member
  auto operator<=>(const Question &) const = default;
};
using Questions = std::set<Question>;

/// Offset in bytes of `member`, which may be a path ("se.sum_exec_runtime"); nothing if BTF does not have it.
std::optional<uint32_t> member_offset(const TypeTable &types, const std::string &structure, std::string_view member);

/// The same in a form that can be compared; it is the same for the same answers only.
std::string answers(const Questions &questions, CompileHost &host, const TypeTable &types);

/// Notes what is asked of `host`.
class AskedHost final : public CompileHost {
 public:
  AskedHost(CompileHost &host, Questions &asked) : host_(host), asked_(asked) {}
  const Probe &probe(ProbeId id) override;
  const std::string &shown_function(ProbeId id) override;
  uint32_t pid_namespace() override;
  bool has(KernelFeature feature) override;
  /// Not for emission: what it may know of hooks is in the layout.
  const ProbeHook &hook(ProbeId id) override;
  const ProbeHook *hook_at_function(ProbeId id) override;
  std::vector<ProbeHook> later(const ProbeDesc &desc) override;

 private:
  CompileHost &host_;
  Questions &asked_;
};

}  // namespace dtrace::codegen
