// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/file_users.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "bpf/library.h"

namespace dtrace::runtime {

void FileUsers::Close::operator()(bpf_object *object) const { bpf_object__close(object); }
void FileUsers::Close::operator()(bpf_link *link) const { bpf_link__destroy(link); }

Mapping map_for_users(int fd) {
  const auto page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  // Shared: the kernel sets no uprobe in such a mapping.
  void *page = mmap(nullptr, page_bytes, PROT_READ, MAP_SHARED, fd, 0);
  return page == MAP_FAILED ? Mapping() : Mapping(page, page_bytes);
}

Result<FileUsers> FileUsers::open() {
  FileUsers users;
  const std::span<const std::byte> image = file_users_object();
  LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "dt_file_users");
  // EAGAIN: a signal came while the kernel looked at the program, which takes long on a slow machine.
  constexpr int kAttempts = 20;
  int error = -EAGAIN;
  for (int attempt = 0; error == -EAGAIN && attempt < kAttempts; ++attempt) {
    if (attempt != 0) usleep(10'000);
    users.object_.reset(bpf_object__open_mem(image.data(), image.size(), &opts));
    if (!users.object_) return Error::from_errno("cannot read the program that walks mappings", errno);
    error = bpf_object__load(users.object_.get());
  }
  if (error != 0) return Error::from_errno("the kernel refuses the program that walks mappings", -error);
  bpf_iter_link_info process{};
  process.task.tid = static_cast<uint32_t>(getpid());
  LIBBPF_OPTS(bpf_iter_attach_opts, attach, .link_info = &process, .link_info_len = sizeof process);
  const bpf_program *program = bpf_object__find_program_by_name(users.object_.get(), "file_users");
  users.link_.reset(bpf_program__attach_iter(program, &attach));
  if (!users.link_) return Error::from_errno("cannot walk mappings", errno);
  return users;
}

Result<std::set<uintptr_t>> FileUsers::mappings_of_unused() const {
  const Fd walk(bpf_iter_create(bpf_link__fd(link_.get())));
  if (!walk) return Error::from_errno("cannot walk mappings", errno);
  std::set<uintptr_t> found;
  std::array<uint64_t, 512> addresses{};
  uint64_t last = 0;
  for (;;) {
    const ssize_t bytes = read(walk.get(), addresses.data(), sizeof addresses);
    if (bytes < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (bytes < 0) return Error::from_errno("cannot walk mappings", errno);
    if (bytes == 0) return found;
    for (size_t i = 0; i < static_cast<size_t>(bytes) / sizeof addresses[0]; ++i) {
      // A walk that took more than one read() is begun again by the kernel where the last read() began.
      if (addresses[i] <= last) return found;
      last = addresses[i];
      found.insert(last);
    }
  }
}

}  // namespace dtrace::runtime
