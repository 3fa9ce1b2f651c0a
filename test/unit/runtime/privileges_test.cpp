// SPDX-License-Identifier: Apache-2.0
// The message to a process that may not trace. The kernel's part is in test/golden/cli/tst.containers.sh.
#include "runtime/kernel/privileges.h"

#include <catch2/catch.hpp>
#include <cerrno>

using dtrace::runtime::Denial;
using dtrace::runtime::denial;
using dtrace::runtime::Standing;

namespace {

std::string reason(const Standing &standing) {
  const std::optional<Denial> denied = denial(standing);
  return denied ? denied->reason : "";
}

}  // namespace

TEST_CASE("who may load a tracing program may trace", "[privileges]") {
  CHECK(!denial(Standing{}));
  CHECK(!denial({.in_user_namespace = true}));  // the kernel has been asked
}

TEST_CASE("a user is told the capabilities, root of a container how to start it", "[privileges]") {
  const std::optional<Denial> user = denial({.missing = "CAP_BPF"});
  REQUIRE(user);
  CHECK(user->reason == "run as root for tracing and listing probes (missing: CAP_BPF)");
  CHECK(user->advice.empty());
  const std::optional<Denial> root = denial({.is_root = true, .missing = "CAP_BPF and CAP_PERFMON"});
  REQUIRE(root);
  CHECK(root->reason == "this root has no CAP_BPF and CAP_PERFMON");
  CHECK(root->advice.find("--privileged") != std::string::npos);
  CHECK(text(*root).starts_with("DTrace requires additional privileges: this root has no CAP_BPF"));
}

TEST_CASE("a user namespace counts before what its root lacks", "[privileges]") {
  CHECK(reason({.is_root = true, .missing = "CAP_BPF", .in_user_namespace = true}) ==
        "root of a user namespace may not trace");
  CHECK(reason({.is_root = true, .in_user_namespace = true, .is_filtered = true, .load_error = EPERM}) ==
        "root of a user namespace may not trace");
  CHECK(reason({.missing = "CAP_BPF", .in_user_namespace = true}).starts_with("run as root"));
}

TEST_CASE("what refuses bpf(2) to those who have the capabilities", "[privileges]") {
  CHECK(reason({.is_filtered = true, .load_error = EPERM}) ==
        "a seccomp filter refuses bpf(2): Operation not permitted");
  CHECK(
      reason({.is_filtered = true, .load_error = ENOSYS}).starts_with("a seccomp filter refuses bpf(2): Function not"));
  CHECK(reason({.is_locked_down = true, .load_error = EINVAL}).find("lockdown=confidentiality") != std::string::npos);
  CHECK(reason({.load_error = EPERM}).find("SELinux or AppArmor") != std::string::npos);
}

TEST_CASE("what is no matter of privileges is left to the one who meets it", "[privileges]") {
  CHECK(!denial({.load_error = ENOSYS}));  // a kernel without bpf(2)
  CHECK(!denial({.is_filtered = true, .load_error = ENOMEM}));
}
