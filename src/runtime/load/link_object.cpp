// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/link_object.h"

#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>

#include "base/owned.h"
#include "runtime/load/bpf_log.h"

namespace dtrace::runtime {
namespace {

/// libbpf's linker takes names of files.
std::string path_of(const Fd &file) { return fmt::format("/proc/self/fd/{}", file.get()); }

Result<Fd> file_in_memory(std::span<const std::byte> content) {
  Fd file(memfd_create("dtrace", MFD_CLOEXEC));
  if (!file) return Error::from_errno("memfd_create", errno);
  while (!content.empty()) {
    const ssize_t written = write(file.get(), content.data(), content.size());
    if (written <= 0) return Error::from_errno("write", errno);
    content = content.subspan(static_cast<size_t>(written));
  }
  return file;
}

}  // namespace

Result<std::vector<char>> link_objects(std::span<const std::byte> one, std::span<const std::byte> other) {
  constexpr const char *kTask = "cannot link BPF objects";
  Result<Fd> linked = file_in_memory({});
  if (!linked) return std::move(linked).error().during(kTask);
  const std::unique_ptr<bpf_linker, void (*)(bpf_linker *)> linker(bpf_linker__new(path_of(*linked).c_str(), nullptr),
                                                                   bpf_linker__free);
  if (!linker) return Error::from_errno(kTask, errno);
  for (const std::span<const std::byte> object : {one, other}) {
    Result<Fd> file = file_in_memory(object);
    if (!file) return std::move(file).error().during(kTask);
    if (const int error = bpf_linker__add_file(linker.get(), path_of(*file).c_str(), nullptr); error != 0)
      return Error::from_errno(kTask, -error).during(BpfLog::take());
  }
  if (const int error = bpf_linker__finalize(linker.get()); error != 0)
    return Error::from_errno(kTask, -error).during(BpfLog::take());
  std::vector<char> bytes(static_cast<size_t>(lseek(linked->get(), 0, SEEK_END)));
  if (pread(linked->get(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return Error::from_errno(kTask, errno);
  return bytes;
}

}  // namespace dtrace::runtime
