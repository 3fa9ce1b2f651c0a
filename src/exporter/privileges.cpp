// SPDX-License-Identifier: Apache-2.0
#include "exporter/privileges.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace dtrace::exporter {
namespace {

constexpr uid_t kNobody = 65534;

struct LimitRow {
  __rlimit_resource resource;
  rlim_t most;
};
constexpr LimitRow kLimits[] = {
    {RLIMIT_CORE, 0},
    {RLIMIT_FSIZE, 0},
    {RLIMIT_NOFILE, 1024},
#ifndef __SANITIZE_ADDRESS__  // which has reserved more than that
    {RLIMIT_AS, rlim_t{1} << 30},
#endif
};

}  // namespace

Result<Unit> drop_privileges() {
  for (const LimitRow &row : kLimits) {
    const rlimit limit{row.most, row.most};
    if (setrlimit(row.resource, &limit) != 0) return Error::from_errno("setrlimit", errno);
  }
  // In a container root may lack the right to become somebody else: without capabilities it is nobody, too.
  if (getuid() == 0)
    (void)(setgroups(0, nullptr) == 0 && setresgid(kNobody, kNobody, kNobody) == 0 &&
           setresuid(kNobody, kNobody, kNobody) == 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return Error::from_errno("no_new_privs", errno);
  (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2] = {};
  if (syscall(SYS_capset, &header, sets) != 0) return Error::from_errno("capset", errno);
  if (syscall(SYS_capget, &header, sets) != 0) return Error::from_errno("capget", errno);
  if ((sets[0].permitted | sets[1].permitted | sets[0].effective | sets[1].effective) != 0)
    return Error("capabilities are left");
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  return ok();
}

}  // namespace dtrace::exporter
