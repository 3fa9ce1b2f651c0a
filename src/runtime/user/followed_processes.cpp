// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/followed_processes.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "bpf/dt_family.h"
#include "bpf/library.h"

namespace dtrace::runtime {

void FollowedProcesses::CloseObject::operator()(bpf_object *object) const { bpf_object__close(object); }
void FollowedProcesses::CloseLink::operator()(bpf_link *link) const { bpf_link__destroy(link); }
void FollowedProcesses::CloseRing::operator()(ring_buffer *ring) const { ring_buffer__free(ring); }

FollowedProcesses::FollowedProcesses() = default;
FollowedProcesses::~FollowedProcesses() = default;

Result<Unit> FollowedProcesses::add(pid_t root) {
  if (roots_.size() == DT_MAX_FAMILIES)
    return Error(fmt::format("-x follow=fork follows the children of {} processes at most", DT_MAX_FAMILIES));
  roots_.push_back(root);
  return ok();
}

uint32_t FollowedProcesses::family_of(pid_t root) const {
  const auto found = std::ranges::find(roots_, root);
  return found == roots_.end() ? 0 : static_cast<uint32_t>(found - roots_.begin()) + 1;
}

uint64_t FollowedProcesses::families_of(pid_t pid) const {
  uint64_t families = 0;
  const auto key = static_cast<uint32_t>(pid);
  return map_ >= 0 && bpf_map_lookup_elem(map_, &key, &families) == 0 ? families : 0;
}

bool FollowedProcesses::contains(pid_t root, pid_t pid) const {
  const uint32_t family = family_of(root);
  return family != 0 && (pid == root || (families_of(pid) >> (family - 1) & 1) != 0);
}

std::vector<pid_t> FollowedProcesses::members(pid_t root) const {
  std::vector<pid_t> members{root};
  if (map_ < 0 || family_of(root) == 0) return members;
  uint32_t key = 0, next = 0;
  // A key that is deleted meanwhile makes the walk begin again: it must not last for ever.
  for (int i = 0; i < 2 * DT_MAX_FAMILY_PROCESSES && bpf_map_get_next_key(map_, i == 0 ? nullptr : &key, &next) == 0;
       ++i) {
    key = next;
    if (static_cast<pid_t>(key) != root && contains(root, static_cast<pid_t>(key)))
      members.push_back(static_cast<pid_t>(key));
  }
  std::sort(members.begin() + 1, members.end());
  members.erase(std::unique(members.begin() + 1, members.end()), members.end());
  return members;
}

Result<Unit> FollowedProcesses::start(int programs_map, uint32_t pid_namespace) {
  const std::span<const std::byte> image = family_watch_object();
  LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "dt_family");
  object_.reset(bpf_object__open_mem(image.data(), image.size(), &opts));
  if (!object_) return Error::from_errno("cannot read the program that follows children", errno);
  const auto map = [&](const char *name) { return bpf_object__find_map_by_name(object_.get(), name); };
  size_t bytes = 0;
  void *constants = bpf_map__initial_value(map(".rodata"), &bytes);
  if (constants == nullptr || bytes < sizeof pid_namespace)
    return Error("the program that follows children has no constants");
  std::memcpy(constants, &pid_namespace, sizeof pid_namespace);
  bpf_map *const family = map("family");  // which takes another name when it becomes another map
  if (programs_map >= 0)
    if (const int error = bpf_map__reuse_fd(family, programs_map); error != 0)
      return Error::from_errno("cannot share the table of followed processes", -error);
  if (const int error = bpf_object__load(object_.get()); error != 0)
    return Error::from_errno("the kernel refuses the program that follows children", -error);
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void *address = mmap(nullptr, page, PROT_READ, MAP_SHARED, bpf_map__fd(map(".bss")), 0);
  if (address == MAP_FAILED)
    return Error::from_errno("cannot map what the program that follows children counts", errno);
  globals_ = Mapping(address, page);
  const auto pass_over = [](void *, void *, size_t) { return 0; };
  ends_.reset(ring_buffer__new(bpf_map__fd(map("ends")), pass_over, nullptr, nullptr));
  if (!ends_) return Error::from_errno("cannot map a ring buffer", errno);
  for (const char *name : {"family_exit", "family_fork"}) {
    bpf_link *link = bpf_program__attach(bpf_object__find_program_by_name(object_.get(), name));
    if (link == nullptr) return Error::from_errno("cannot follow children: no tracepoints of processes", errno);
    links_.emplace_back(link);
  }
  map_ = bpf_map__fd(family);
  for (size_t i = 0; i < roots_.size(); ++i) {
    const auto key = static_cast<uint32_t>(roots_[i]);
    const uint64_t families = families_of(roots_[i]) | uint64_t{1} << i;
    if (bpf_map_update_elem(map_, &key, &families, BPF_ANY) != 0)
      return Error::from_errno(fmt::format("cannot follow the children of process {}", roots_[i]), errno);
  }
  return ok();
}

int FollowedProcesses::poll_fd() const { return ends_ ? ring_buffer__epoll_fd(ends_.get()) : -1; }

bool FollowedProcesses::all_ended() const {
  if (map_ < 0) return true;
  (void)ring_buffer__consume(ends_.get());
  uint32_t first = 0;
  return bpf_map_get_next_key(map_, nullptr, &first) != 0;
}

void FollowedProcesses::ended(pid_t root) {
  const auto key = static_cast<uint32_t>(root);
  if (map_ >= 0 && family_of(root) != 0) (void)bpf_map_delete_elem(map_, &key);
}

uint64_t FollowedProcesses::take_left_out() {
  if (globals_.data() == nullptr) return 0;
  const uint64_t all = __atomic_load_n(static_cast<const uint64_t *>(globals_.data()), __ATOMIC_RELAXED);
  return all - std::exchange(known_left_out_, all);
}

}  // namespace dtrace::runtime
