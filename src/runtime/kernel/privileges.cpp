// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel/privileges.h"

#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/read_file.h"
#include "runtime/kernel/tracing_trial.h"

namespace dtrace::runtime {
namespace {

struct Needed {
  unsigned capability;
  std::string_view name;
};
constexpr Needed kNeeded[] = {{CAP_BPF, "CAP_BPF"}, {CAP_PERFMON, "CAP_PERFMON"}};

/// The kernel's number of the first user namespace: PROC_USER_INIT_INO.
constexpr ino_t kFirstUserNamespace = 0xEFFFFFFD;

constexpr std::string_view kInContainer =
    "in a container: start it with --privileged --pid=host (docker run, sudo podman run), or with privileged: true and "
    "hostPID: true (Kubernetes)";
constexpr std::string_view kOutOfUserNamespace =
    "in a container: start it as root of the host: sudo podman run --privileged --pid=host, docker run --privileged "
    "--pid=host --userns=host, or privileged: true, hostPID: true and hostUsers: true (Kubernetes)";
constexpr std::string_view kWithoutFilter =
    "in a container: start it with --privileged or --security-opt seccomp=unconfined (docker run, sudo podman run), or "
    "with privileged: true (Kubernetes); in a service of systemd: without SystemCallFilter=";

std::string missing_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  (void)syscall(SYS_capget, &header, data);  // refused: nothing is set
  const auto has = [&](unsigned capability) { return (data[capability / 32].effective >> capability % 32 & 1) != 0; };
  if (has(CAP_SYS_ADMIN)) return {};
  std::string missing;
  for (const Needed &row : kNeeded)
    if (!has(row.capability)) missing.append(missing.empty() ? "" : " and ").append(row.name);
  return missing;
}

bool is_in_user_namespace() {
  struct stat about{};
  return stat("/proc/self/ns/user", &about) == 0 && about.st_ino != kFirstUserNamespace;
}

bool is_filtered() {
  const Result<std::string> status = read_file("/proc/self/status");
  return status && status->find("\nSeccomp:\t2") != std::string::npos;
}

bool is_locked_down() {
  const Result<std::string> level = read_file("/sys/kernel/security/lockdown");
  return level && level->find("[confidentiality]") != std::string::npos;
}

}  // namespace

Standing standing_of_process() {
  Standing standing;
  standing.is_root = geteuid() == 0;
  standing.missing = missing_capabilities();
  standing.load_error = standing.missing.empty() ? try_to_load() : 0;
  if (standing.missing.empty() && standing.load_error == 0) return standing;  // the usual case
  standing.in_user_namespace = is_in_user_namespace();
  standing.is_filtered = is_filtered();
  standing.is_locked_down = is_locked_down();
  return standing;
}

std::optional<Denial> denial(const Standing &standing) {
  if (standing.missing.empty() && standing.load_error == 0) return std::nullopt;
  if (standing.in_user_namespace && (standing.is_root || standing.missing.empty()))
    return Denial{"root of a user namespace may not trace", std::string(kOutOfUserNamespace)};
  if (!standing.missing.empty() && standing.is_root)
    return Denial{fmt::format("this root has no {}", standing.missing), std::string(kInContainer)};
  if (!standing.missing.empty())
    return Denial{fmt::format("run as root for tracing and listing probes (missing: {})", standing.missing), {}};
  if (standing.is_locked_down)
    return Denial{"kernel lockdown does not let programs read kernel memory: boot without lockdown=confidentiality",
                  {}};
  const bool is_refused =
      standing.load_error == EPERM || standing.load_error == EACCES || standing.load_error == ENOSYS;
  if (!is_refused) return std::nullopt;  // not a matter of privileges: tracing says what is wrong
  const char *const error = std::strerror(standing.load_error);
  if (standing.is_filtered)
    return Denial{fmt::format("a seccomp filter refuses bpf(2): {}", error), std::string(kWithoutFilter)};
  if (standing.load_error == ENOSYS) return std::nullopt;
  return Denial{
      fmt::format("the kernel refuses bpf(2): {}; a security module may be why, as SELinux or AppArmor", error),
      std::string(kInContainer)};
}

std::string text(const Denial &denial) {
  return fmt::format("{}: {}{}{}", kDenied, denial.reason, denial.advice.empty() ? "" : "; ", denial.advice);
}

}  // namespace dtrace::runtime
