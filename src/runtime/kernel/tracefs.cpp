// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel/tracefs.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/owned.h"

namespace dtrace::runtime {
namespace {

constexpr const char *kMountPoints[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

// <linux/mount.h>, which does not go with <sys/mount.h>.
constexpr unsigned kFsopenCloexec = 1;
constexpr unsigned kFsconfigCreate = 6;
constexpr unsigned kFsmountCloexec = 1;
constexpr unsigned kReadOnly = 1, kNoSuid = 2, kNoDev = 4, kNoExec = 8;

bool answers(const std::string &path) { return ::access((path + "/available_events").c_str(), R_OK) == 0; }

/// The descriptor of a mount that is attached nowhere; none if the kernel refuses.
Fd mount_detached() {
  const Fd context(static_cast<int>(syscall(SYS_fsopen, "tracefs", kFsopenCloexec)));
  if (!context || syscall(SYS_fsconfig, context.get(), kFsconfigCreate, nullptr, nullptr, 0) != 0) return {};
  return Fd(
      static_cast<int>(syscall(SYS_fsmount, context.get(), kFsmountCloexec, kReadOnly | kNoSuid | kNoDev | kNoExec)));
}

std::string find() {
  for (const char *path : kMountPoints)
    if (answers(path)) return path;
  static const Fd own = mount_detached();  // for as long as the process lives: others keep the path
  if (!own) return {};
  std::string path = "/proc/self/fd/" + std::to_string(own.get());
  return answers(path) ? path : std::string();
}

}  // namespace

const std::string &tracefs_path() {
  static const std::string path = find();
  return path;
}

}  // namespace dtrace::runtime
