// SPDX-License-Identifier: Apache-2.0
#include "exporter/privileges.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "test/unit/exporter/in_child.h"

using namespace dtrace;
using namespace dtrace::exporter;

namespace {

/// Without these capabilities from here on.
bool give_up(std::initializer_list<unsigned> capabilities) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2] = {};
  if (syscall(SYS_capget, &header, sets) != 0) return false;
  for (const unsigned capability : capabilities) {
    sets[capability / 32].permitted &= ~(1U << capability % 32);
    sets[capability / 32].effective &= ~(1U << capability % 32);
  }
  return syscall(SYS_capset, &header, sets) == 0;
}

bool is_root() {
  if (geteuid() == 0) return true;
  WARN("skipped: not root");
  return false;
}

}  // namespace

TEST_CASE("surroundings: other descriptors are closed, the standard streams lead nowhere, the folder is the root") {
  CHECK(in_child([] {
          const int inherited = open("/etc/passwd", O_RDONLY), high = fcntl(inherited, F_DUPFD, 200);
          if (inherited < 0 || high < 0 || !leave_surroundings(3)) return 1;
          if (fcntl(inherited, F_GETFD) >= 0 || fcntl(high, F_GETFD) >= 0) return 2;
          char folder[8] = "";
          char byte = 0;
          return getcwd(folder, sizeof folder) != nullptr && std::strcmp(folder, "/") == 0 && read(0, &byte, 1) == 0
                     ? 0
                     : 3;
        }) == 0);
}

TEST_CASE("surroundings: without standard streams they are made") {
  CHECK(in_child([] {
          for (int fd = 0; fd < 3; ++fd) close(fd);
          if (!leave_surroundings(3)) return 1;
          for (int fd = 0; fd < 3; ++fd)
            if (fcntl(fd, F_GETFD) < 0) return 2;
          return fcntl(3, F_GETFD) < 0 ? 0 : 3;
        }) == 0);
}

TEST_CASE("privileges: a limit of descriptors that is lower than ours stays, also without the right to raise it") {
  if (!is_root()) return;
  CHECK(in_child([] {
          const rlimit low{512, 512};
          if (setrlimit(RLIMIT_NOFILE, &low) != 0 || !give_up({CAP_SYS_RESOURCE})) return 1;
          if (!drop_privileges()) return 2;
          return max_descriptors() == 512 ? 0 : 3;
        }) == 0);
}

TEST_CASE("privileges: root becomes nobody, without a way back") {
  if (!is_root()) return;
  CHECK(in_child([] {
          if (!drop_privileges()) return 1;
          uid_t ids[3] = {};
          if (getresuid(&ids[0], &ids[1], &ids[2]) != 0 || ids[0] != 65534 || ids[1] != 65534 || ids[2] != 65534)
            return 2;
          if (getgroups(0, nullptr) != 0 || setuid(0) == 0) return 3;
          if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 || prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0) return 4;
          for (unsigned long capability = 0; capability <= CAP_LAST_CAP; ++capability)
            if (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) > 0) return 5;
          return 0;
        }) == 0);
}

TEST_CASE("privileges: root that cannot become nobody does not go on") {
  if (!is_root()) return;
  for (const unsigned missing : {CAP_SETUID, CAP_SETGID})
    CHECK(in_child([missing] {
            if (!give_up({missing})) return 1;
            const Result<Unit> dropped = drop_privileges();
            return !dropped && dropped.error().text().find("cannot become user nobody") != std::string::npos ? 0 : 2;
          }) == 0);
}
