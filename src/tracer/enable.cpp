// SPDX-License-Identifier: Apache-2.0
#include "tracer/enable.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace dtrace::tracer {
namespace {

constexpr std::string_view kCompiled = "programs compiled";
constexpr size_t kManyPrograms = 300;  // to compile so many takes longer than people wait without a word

using Begun = Result<std::unique_ptr<runtime::Enabling>>;

Begun begin(Compiler &compiler, const Plan &plan) {
  const std::vector<int> &cpus = compiler.kernel().online_cpus();
  const Options &options = compiler.options();
  if (options.is_set(Opt::cpu)) {
    const int64_t wanted = options.number(Opt::cpu);
    if (std::ranges::find(cpus, wanted) == cpus.end()) return Error(fmt::format("CPU {} is not online", wanted));
  }
  return runtime::Enabling::begin(plan, options, compiler.kernel().possible_cpus(), cpus);
}

}  // namespace

Result<Enabled> enable(Compiler &compiler, unsigned listing, const std::function<void(const std::string &)> &show) {
  // The kernel needs time until maps are in their slots: it has that while code is generated.
  std::optional<Begun> begun;
  size_t nr_programs = 0;
  Result<codegen::CompiledObject> object = compiler.generate(listing, [&](const Plan &plan) {
    nr_programs = plan.programs.size();
    if (nr_programs >= kManyPrograms) compiler.client().progress(kCompiled, 0, nr_programs);
    begun.emplace(begin(compiler, plan));
  });
  if (nr_programs >= kManyPrograms) compiler.client().progress(kCompiled, nr_programs, nr_programs);
  if (!object) return std::move(object.error()).during(kNotEnabled);
  compiler.budget().return_free();  // the compiler's
  if (show) show(object->listing);
  if (!*begun) return std::move(begun->error()).during(kNotEnabled);
  Enabled enabled{std::move(*object), std::move(**begun)};
  if (Result<Unit> loaded = enabled.enabling->load(enabled.object.elf,
                                                   [&compiler](std::string_view text) { compiler.client().log(text); });
      !loaded)
    return std::move(loaded.error()).during(kNotEnabled);
  compiler.debug(fmt::format("BPF programs loaded: {}", enabled.object.plan->programs.size()));
  return enabled;
}

}  // namespace dtrace::tracer
