// SPDX-License-Identifier: Apache-2.0
// What paths of cgroups say of containers and units.
#include "runtime/cgroups/cgroup_path.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace dtrace::runtime;

namespace {

const std::string kId = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const std::string kOther = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";

std::string id_in(const std::string &path) {
  const std::optional<PathContainer> found = container_of_path(path);
  return found ? found->id : "none";
}

}  // namespace

TEST_CASE("cgroup path: scopes that runtimes ask systemd for", "[cgroups]") {
  CHECK(id_in("/system.slice/docker-" + kId + ".scope") == kId);
  CHECK(id_in("/machine.slice/libpod-" + kId + ".scope/container") == kId);
  CHECK(id_in("/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" + kId + ".scope") == kId);
  CHECK(id_in("/kubepods.slice/kubepods-pod0a_1.slice/cri-containerd-" + kId + ".scope") == kId);
  CHECK(id_in("/kubepods.slice/kubepods-pod0a_1.slice/crio-" + kId + ".scope") == kId);
  CHECK(id_in("/system.slice/crun-web.scope") == "web");
  CHECK(id_in("/system.slice/runc-web-1.scope") == "web-1");
  CHECK(id_in("/machine.slice/machine-my\\x2dbox.scope/payload") == "my-box");
  CHECK(container_of_path("/machine.slice/machine-box.scope")->id_is_name);
  CHECK_FALSE(container_of_path("/docker/" + kId)->id_is_name);
}

TEST_CASE("cgroup path: without systemd", "[cgroups]") {
  CHECK(id_in("/docker/" + kId) == kId);
  CHECK(id_in("/docker/" + kId + "/init/deep") == kId);
  CHECK(id_in("/default/" + kId) == kId);
  CHECK(id_in("/libpod_parent/libpod-" + kId) == kId);
  CHECK(id_in("/kubepods/burstable/pod0a-1/" + kId) == kId);
  CHECK(id_in("/lxc/box") == "box");
  CHECK(id_in("/lxc.payload.box/sub") == "box");
}

TEST_CASE("cgroup path: the pod is known by its uid", "[cgroups]") {
  const std::string uid = "1b2c3d4e-0000-1111-2222-333344445555";
  std::string slice = uid;
  std::replace(slice.begin(), slice.end(), '-', '_');
  CHECK(container_of_path("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + slice +
                          ".slice/cri-containerd-" + kId + ".scope")
            ->pod_uid == uid);
  CHECK(container_of_path("/kubepods/besteffort/pod" + uid + '/' + kId)->pod_uid == uid);
  CHECK(container_of_path("/docker/" + kId)->pod_uid.empty());
}

TEST_CASE("cgroup path: of containers within containers the innermost", "[cgroups]") {
  const std::string path = "/docker/" + kId + "/kubelet.slice/kubepods/pod1/" + kOther;
  CHECK(id_in(path) == kOther);
  const std::vector<PathContainer> all = containers_of_path(path);
  REQUIRE(all.size() == 2);
  CHECK(all[1].id == kId);
}

TEST_CASE("cgroup path: the host's are no containers", "[cgroups]") {
  for (const char *path : {"/", "/init.scope", "/system.slice", "/system.slice/docker.service", "/docker",
                           "/user.slice/user-0.slice/session-3.scope", "/system.slice/docker-short.scope", "/web-1",
                           "/kubepods.slice/kubepods-pod1.slice", "/system.slice/crun-.scope", "", "//", "/x\\x",
                           "/docker-0123.scope", "/lxc.payload."})
    CHECK(id_in(path) == "none");
  CHECK(is_of_host("/"));
  CHECK(is_of_host("/system.slice/ssh.service"));
  CHECK(is_of_host("/user.slice/user-0.slice/session-3.scope"));
  CHECK_FALSE(is_of_host("/web-1"));
  CHECK_FALSE(is_of_host("/system.slice/ssh.service/delegated"));
  CHECK_FALSE(is_of_host("/system.slice/test-web.scope"));
}

TEST_CASE("cgroup path: units, and what is below", "[cgroups]") {
  CHECK(is_in_unit("/system.slice/ssh.service", "ssh.service"));
  CHECK(is_in_unit("/system.slice/ssh.service/sub", "ssh"));
  CHECK(is_in_unit("/system.slice/ssh.service", "system.slice"));
  CHECK_FALSE(is_in_unit("/system.slice/ssh.service", "ssh.slice"));
  CHECK_FALSE(is_in_unit("/system.slice/openssh.service", "ssh"));
  CHECK(is_below("/a/b", "/a"));
  CHECK(is_below("/a/b", "/a/b/"));
  CHECK(is_below("/a", "/"));
  CHECK_FALSE(is_below("/ab", "/a"));
}

TEST_CASE("cgroup path: short ids", "[cgroups]") {
  CHECK(short_id(kId) == "0123456789ab");
  CHECK(short_id("web-1") == "web-1");
  CHECK(means_id("0123456789ab", kId));
  CHECK(means_id(kId, kId));
  CHECK_FALSE(means_id("0123456789a", kId));
  CHECK_FALSE(means_id("123456789abc", kId));
  CHECK(means_id("web-1", "web-1"));
  CHECK_FALSE(means_id("web-1-of-twelve", "web-1-of-twelve-more"));
}
