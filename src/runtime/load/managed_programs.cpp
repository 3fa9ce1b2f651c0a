// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/managed_programs.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "bpf/library.h"
#include "runtime/load/bpf_log.h"
#include "runtime/load/link_object.h"
#include "runtime/load/typed_tracepoints.h"

namespace dtrace::runtime {
namespace {

constexpr const char *kLayoutMap = ".rodata.dt_unwind";
constexpr const char *kSeedMap = ".rodata.dt_managed";

Result<Unit> give_layout(bpf_object *object, const dt_unwind_layout &layout, bool with_managed) {
  size_t size_bytes = 0;
  void *to = bpf_map__initial_value(bpf_object__find_map_by_name(object, kLayoutMap), &size_bytes);
  if (to == nullptr || size_bytes < sizeof layout) return Error("the walk of user stacks has no layout");
  dt_unwind_layout here = layout;
  here.page_bytes = static_cast<uint32_t>(sysconf(_SC_PAGESIZE));
  std::memcpy(to, &here, sizeof here);
  if (!with_managed) return ok();
  void *seed = bpf_map__initial_value(bpf_object__find_map_by_name(object, kSeedMap), &size_bytes);
  if (seed == nullptr || getrandom(seed, sizeof(uint64_t), 0) < 0)
    return Error("the walk of user stacks has no random number");
  return ok();
}

/// Both objects have the same maps, except for constants, which may differ, and for the arrays of programs: a program
/// that finds itself in its array would call itself.
Result<Unit> share_maps(bpf_object *object, bpf_object *loaded, const Plan &plan) {
  const auto is_array = [&](std::string_view name) {
    return std::ranges::any_of(plan.programs, [&](const ProgramPlan &program) { return program.managed_map == name; });
  };
  bpf_map *map = nullptr;
  bpf_object__for_each_map(map, object) {
    const std::string_view name = bpf_map__name(map);
    if (name.starts_with(".rodata") || is_array(name)) continue;
    const bpf_map *other = bpf_object__find_map_by_name(loaded, bpf_map__name(map));
    // One of its own would take what programs write, and nobody would read it.
    if (other == nullptr) return Error(fmt::format("there is no map {} to share", name));
    const int error =
        bpf_map__fd(other) < 0 ? bpf_map__set_autocreate(map, false) : bpf_map__reuse_fd(map, bpf_map__fd(other));
    if (error != 0) return Error::from_errno("cannot share a map", -error);
  }
  return ok();
}

}  // namespace

Result<BpfObject> open_object(std::span<const char> elf, const Plan &plan, bool with_managed, uint32_t log_level) {
  accept_typed_tracepoints();
  LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "dtrace", .kernel_log_level = log_level);
  std::vector<char> linked;
  if (plan.unwind) {
    Result<std::vector<char>> both =
        link_objects(std::as_bytes(elf), with_managed ? unwind_object() : unwind_native_object());
    if (!both) return std::move(both.error());
    linked = std::move(*both);
    elf = linked;
  }
  BpfObject object(bpf_object__open_mem(elf.data(), elf.size(), &opts), bpf_object__close);
  if (!object) return Error::from_errno("cannot open the compiled program", errno).during(BpfLog::take());
  if (plan.unwind)
    if (Result<Unit> given = give_layout(object.get(), *plan.unwind, with_managed); !given)
      return std::move(given.error());
  return object;
}

Result<Unit> ManagedPrograms::load() {
  if (elf_.empty()) return ok();
  const std::vector<char> elf = std::exchange(elf_, {});
  BpfLog::install({});
  Result<BpfObject> object = open_object(elf, *plan_, /*with_managed=*/true, 0);
  if (!object) return std::move(object.error());
  if (Result<Unit> shared = share_maps(object->get(), loaded_, *plan_); !shared) return shared;
  bpf_program *program = nullptr;
  bpf_object__for_each_program(program, object->get()) bpf_program__set_autoload(program, false);
  for (const ProgramPlan &plan : plan_->programs)
    if (!plan.managed_map.empty())
      bpf_program__set_autoload(bpf_object__find_program_by_name(object->get(), plan.function.c_str()), true);
  if (const int error = bpf_object__load(object->get()); error != 0)
    return Error::from_errno("the kernel refused programs that show managed frames", -error).during(BpfLog::take());
  object_ = std::move(*object);
  for (const ProgramPlan &plan : plan_->programs) {
    if (plan.managed_map.empty()) continue;
    const int array = bpf_map__fd(bpf_object__find_map_by_name(loaded_, plan.managed_map.c_str()));
    const int fd = bpf_program__fd(bpf_object__find_program_by_name(object_.get(), plan.function.c_str()));
    constexpr uint32_t kOnly = 0;
    if (bpf_map_update_elem(array, &kOnly, &fd, BPF_ANY) != 0)
      return Error::from_errno("programs cannot call those that show managed frames", errno);
  }
  return ok();
}

}  // namespace dtrace::runtime
