// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/linker_wait.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "bpf/library.h"
#include "bpf/linker_wait.h"

namespace dtrace::runtime {
namespace {

// The kernel's ABI; Debian 12's header ends before it.
constexpr auto kTraceUprobeMulti = static_cast<bpf_attach_type>(48);  // BPF_TRACE_UPROBE_MULTI

constexpr ino_t kInitialPidNamespace = 0xEFFFFFFC;  // PROC_PID_INIT_INO of the kernel's ABI

int note_request(void *list, void *data, size_t size_bytes) {
  if (size_bytes < sizeof(dt_linker_request)) return 0;
  const auto *request = static_cast<const dt_linker_request *>(data);
  static_cast<std::vector<LinkerWait::Request> *>(list)->push_back(
      {static_cast<pid_t>(request->pid), request->time_ns});
  return 0;
}

Result<Unit> share_families(bpf_object &object, int family_map) {
  bpf_map *const family = bpf_object__find_map_by_name(&object, "family");
  if (family_map < 0) {
    bpf_map__set_max_entries(family, 1);
    return ok();
  }
  if (const int error = bpf_map__reuse_fd(family, family_map); error != 0)
    return Error::from_errno("cannot share the table of followed processes", -error);
  size_t bytes = 0;
  void *constants = bpf_map__initial_value(bpf_object__find_map_by_name(&object, ".rodata"), &bytes);
  dt_linker_namespace own{};
  struct stat space{};
  if (stat("/proc/self/ns/pid", &space) == 0 && space.st_ino != kInitialPidNamespace) {
    own.device = space.st_dev;
    own.inode = space.st_ino;
  }
  if (constants == nullptr || bytes < sizeof own) return Error("the program that waits has no constants");
  std::memcpy(constants, &own, sizeof own);
  return ok();
}

}  // namespace

void LinkerWait::Close::operator()(bpf_object *object) const { bpf_object__close(object); }
void LinkerWait::Close::operator()(ring_buffer *ring) const { ring_buffer__free(ring); }

Result<LinkerWait> LinkerWait::open(bool multi, int family_map) {
  LinkerWait wait;
  wait.multi_ = multi;
  const std::span<const std::byte> image = linker_wait_object();
  LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "dt_linker_wait");
  wait.object_.reset(bpf_object__open_mem(image.data(), image.size(), &opts));
  if (!wait.object_) return Error::from_errno("cannot read the program that waits", errno);
  bpf_program *program = bpf_object__find_program_by_name(wait.object_.get(), "linker_wait");
  if (multi) bpf_program__set_expected_attach_type(program, kTraceUprobeMulti);
  if (Result<Unit> shared = share_families(*wait.object_, family_map); !shared) return std::move(shared).error();
  if (bpf_object__load(wait.object_.get()) != 0)
    return Error::from_errno("the kernel refuses the program that waits", errno);
  wait.answer(UINT64_MAX);
  const int requests = bpf_object__find_map_fd_by_name(wait.object_.get(), "requests");
  wait.ring_.reset(ring_buffer__new(requests, note_request, wait.requests_.get(), nullptr));
  if (!wait.ring_) return Error::from_errno("cannot map a ring buffer", errno);
  return wait;
}

Result<Unit> LinkerWait::attach(std::span<const UserSite> linkers) {
  ProgramPlan plan;
  plan.hook.target = UserInstructionHook();
  plan.multi = multi_;
  std::vector<SitePlan> sites;
  for (const UserSite &linker : linkers) {
    sites.push_back({linker, static_cast<uint64_t>(linker.pid)});
    sites.back().site.ref_ctr_offset = 0;
  }
  SitesLeftOut left_out;
  const bpf_program *program = bpf_object__find_program_by_name(object_.get(), "linker_wait");
  Result<Unit> attached = attach_sites(*program, plan, sites, *links_, left_out);
  if (attached && !left_out.instructions.empty())
    return Error("the kernel cannot probe the instruction in " + left_out.instructions.front());
  return attached;
}

int LinkerWait::poll_fd() const { return ring_buffer__epoll_fd(ring_.get()); }

std::vector<LinkerWait::Request> LinkerWait::take() {
  (void)ring_buffer__consume(ring_.get());
  return std::exchange(*requests_, {});
}

bool LinkerWait::Request::covers(pid_t process, uint64_t mapped_ns, uint64_t until_ns) const {
  return pid == process && time_ns >= mapped_ns && until_ns < time_ns + DT_LINKER_WAIT_NS;
}

void LinkerWait::answer(uint64_t seen_ns) {
  const uint32_t zero = 0;
  (void)bpf_map_update_elem(bpf_object__find_map_fd_by_name(object_.get(), "seen"), &zero, &seen_ns, BPF_ANY);
}

}  // namespace dtrace::runtime
