// SPDX-License-Identifier: Apache-2.0
// Managed frames when they are needed. What tells functions of Python and Java is two thirds of a walk for the
// verifier, 10 ms of each program's start, and most runs meet no such process. So programs are loaded without it, and
// begin with a call of another program through a map of their own (ProgramPlan::managed_map), which fails while the map
// is empty.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"

struct bpf_object;

namespace dtrace::runtime {

using BpfObject = std::unique_ptr<bpf_object, void (*)(bpf_object *)>;

/// The compiled program, not loaded, linked to a walk of user stacks if the plan has one: with managed frames, or
/// without. `log_level`: how much the verifier says, as bpf(2) numbers it. Errors: libbpf's, with what it logged.
Result<BpfObject> open_object(std::span<const char> elf, const Plan &plan, bool with_managed, uint32_t log_level);

class ManagedPrograms {
 public:
  /// All programs have been loaded with managed frames, or show none.
  ManagedPrograms() = default;
  /// They have not been. `elf` is what they were made of, `loaded` where their maps are; `plan` and `loaded` outlive
  /// this.
  ManagedPrograms(std::vector<char> elf, const Plan &plan, bpf_object *loaded)
      : elf_(std::move(elf)), plan_(&plan), loaded_(loaded) {}

  /// From now on programs show managed frames. To be called once, by any thread; it takes some 10 ms for each program.
  /// Errors: the kernel takes no more programs, or refuses them; then programs stay as they are.
  Result<Unit> load();

 private:
  std::vector<char> elf_;  // empty: there is nothing to load, or it has been
  const Plan *plan_ = nullptr;
  bpf_object *loaded_ = nullptr;
  BpfObject object_{nullptr, nullptr};
};

}  // namespace dtrace::runtime
