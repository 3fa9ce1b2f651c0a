// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/macros.h"

#include <unistd.h>

#include <catch2/catch.hpp>

namespace dtrace::runtime {
namespace {

TEST_CASE("macros: ids of this process") {
  CHECK(macro_value("pid", 0) == ::getpid());
  CHECK(macro_value("ppid", 0) == ::getppid());
  CHECK(macro_value("pgid", 0) == ::getpgid(0));
  CHECK(macro_value("sid", 0) == ::getsid(0));
  CHECK(macro_value("uid", 0) == ::getuid());
  CHECK(macro_value("euid", 0) == ::geteuid());
  CHECK(macro_value("gid", 0) == ::getgid());
  CHECK(macro_value("egid", 0) == ::getegid());
  CHECK(macro_value("projid", 0) == 0);
  CHECK(macro_value("taskid", 0) == 0);
  CHECK(macro_value("zoneid", 0) == 0);
}

TEST_CASE("macros: target, and names that are none") {
  CHECK(macro_value("target", 0) == 0);
  CHECK(macro_value("target", 1234) == 1234);
  CHECK_FALSE(macro_value("", 1));
  CHECK_FALSE(macro_value("pids", 1));
  CHECK_FALSE(macro_value("0", 1));
}

}  // namespace
}  // namespace dtrace::runtime
