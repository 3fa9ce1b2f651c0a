// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/pid_namespace.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

namespace dtrace::runtime {
namespace {

constexpr uint32_t kInitialInode = 0xEFFFFFFC;  // PROC_PID_INIT_INO of the kernel's ABI

}  // namespace

uint32_t nested_pid_namespace() {
  static const uint32_t inode = [] {
    struct stat st{};
    if (::stat("/proc/self/ns/pid", &st) != 0 || st.st_ino == kInitialInode) return uint32_t{0};
    return static_cast<uint32_t>(st.st_ino);
  }();
  return inode;
}

Result<Unit> check_proc_namespace() {
  char link[16] = {};
  const ssize_t length = ::readlink("/proc/self", link, sizeof link - 1);
  if (length < 0) return Error::from_errno("/proc/self", errno);
  if (std::strtol(link, nullptr, 10) == ::getpid()) return ok();
  return Error(
      "/proc belongs to another PID namespace than dtrace. Run \"mount -t proc proc /proc\" in this one, or start it "
      "with \"unshare --mount-proc\"");
}

}  // namespace dtrace::runtime
