// SPDX-License-Identifier: Apache-2.0
#include "exporter/privileges.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/owned.h"

namespace dtrace::exporter {
namespace {

constexpr uid_t kNobody = 65534;
constexpr std::string_view kBecomeNobody = "cannot become user nobody (needs CAP_SETUID and CAP_SETGID)";

constexpr rlim_t kMaxDescriptors = 1024;

struct LimitRow {
  __rlimit_resource resource;
  rlim_t most;
};
constexpr LimitRow kLimits[] = {
    {RLIMIT_CORE, 0},
    {RLIMIT_FSIZE, 0},
    {RLIMIT_NOFILE, kMaxDescriptors},
#ifndef __SANITIZE_ADDRESS__  // which has reserved more than that
    {RLIMIT_AS, rlim_t{1} << 30},
#endif
};

/// A limit that is lower already stays: raising it takes CAP_SYS_RESOURCE.
Result<Unit> lower(const LimitRow &row) {
  rlimit limit{};
  if (getrlimit(row.resource, &limit) != 0) return Error::from_errno("getrlimit", errno);
  limit.rlim_max = std::min(limit.rlim_max, row.most);
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(row.resource, &limit) != 0) return Error::from_errno("setrlimit", errno);
  return ok();
}

Result<Unit> become_nobody() {
  if (setgroups(0, nullptr) != 0 || setresgid(kNobody, kNobody, kNobody) != 0 ||
      setresuid(kNobody, kNobody, kNobody) != 0)
    return Error::from_errno(kBecomeNobody, errno);
  return ok();
}

/// May be refused: without CAP_SETPCAP nothing can be got from the set either, because no_new_privs is set.
void drop_bounding_set() {
  for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability)
    (void)prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
}

Result<Unit> empty_capability_sets() {
  (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2] = {};
  if (syscall(SYS_capset, &header, sets) != 0) return Error::from_errno("capset", errno);
  if (syscall(SYS_capget, &header, sets) != 0) return Error::from_errno("capget", errno);
  if ((sets[0].permitted | sets[1].permitted | sets[0].effective | sets[1].effective) != 0)
    return Error("capabilities are left");
  return ok();
}

}  // namespace

Result<Unit> leave_surroundings(int first) {
  if (syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0) != 0)
    return Error::from_errno("close_range", errno);
  Fd nowhere(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!nowhere) return Error::from_errno("/dev/null", errno);
  // Otherwise a reader of the tracer's output would not see end of file when the tracer exits.
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (dup2(nowhere.get(), fd) < 0) return Error::from_errno("/dev/null", errno);
  if (nowhere.get() <= STDERR_FILENO) (void)nowhere.release();  // it was started without them
  if (chdir("/") != 0) return Error::from_errno("/", errno);
  return ok();
}

Result<Unit> drop_privileges() {
  for (const LimitRow &row : kLimits)
    if (Result<Unit> lowered = lower(row); !lowered) return lowered;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return Error::from_errno("no_new_privs", errno);
  const bool is_root = getuid() == 0 || geteuid() == 0;
  drop_bounding_set();
  if (is_root)
    if (Result<Unit> is_nobody = become_nobody(); !is_nobody) return is_nobody;
  if (Result<Unit> emptied = empty_capability_sets(); !emptied) return emptied;
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return Error::from_errno("dumpable", errno);
  return ok();
}

unsigned max_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<unsigned>(std::min<rlim_t>(limit.rlim_cur, kMaxDescriptors));
}

}  // namespace dtrace::exporter
