// SPDX-License-Identifier: Apache-2.0
// Names of containers in the files of runtimes, in a made-up root; and the table of cgroups over it.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "base/options.h"
#include "runtime/cgroups/cgroup_names.h"
#include "runtime/cgroups/hierarchy.h"
#include "runtime/cgroups/runtime_files.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

const std::string kId = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

class Root {
 public:
  Root() {
    std::string name = "/tmp/dtrace_cgroups_XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Root() { std::filesystem::remove_all(path_); }
  void put(const std::string &file, const std::string &text) const {
    const std::filesystem::path path = path_ + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  void remove(const std::string &file) const { std::filesystem::remove_all(path_ + file); }
  RuntimeFiles files() const { return RuntimeFiles(path_); }

 private:
  std::string path_;
};

void set(Options &options, const char *name, const char *value) {
  REQUIRE(options.set(name, value, OptionSource::kCommandLine) == OptionError::kNone);
}

}  // namespace

TEST_CASE("runtime files: docker", "[cgroups]") {
  CHECK(facts_in_docker_config(R"({"ID":"x","Name":"/web-1","Config":{"Labels":{}}})") == ContainerFacts{"web-1", ""});
  CHECK(facts_in_docker_config(R"({"Name":"/k8s_app_p_ns_u_0","Config":{"Labels":{"io.kubernetes.container.name":"app",
    "io.kubernetes.pod.name":"p","io.kubernetes.pod.namespace":"ns"}}})") == ContainerFacts{"app", "ns/p"});
  for (const char *text : {"", "{", "[]", "7", R"({"Name":7})", R"({"Name":""})", R"({"Config":[1]})", "\xff\xfe"})
    CHECK_FALSE(facts_in_docker_config(text));
}

TEST_CASE("runtime files: bundles", "[cgroups]") {
  CHECK(facts_in_bundle_config(R"({"annotations":{"io.kubernetes.cri.container-name":"app",
    "io.kubernetes.cri.sandbox-name":"web-0","io.kubernetes.cri.sandbox-namespace":"shop"}})") ==
        ContainerFacts{"app", "shop/web-0"});
  CHECK(facts_in_bundle_config(R"({"annotations":{"io.kubernetes.cri.container-type":"sandbox",
    "io.kubernetes.cri.sandbox-name":"web-0","io.kubernetes.cri.sandbox-namespace":"shop"}})") ==
        ContainerFacts{"POD", "shop/web-0"});
  CHECK(facts_in_bundle_config(R"({"annotations":{"nerdctl/name":"n1"}})") == ContainerFacts{"n1", ""});
  CHECK_FALSE(facts_in_bundle_config(R"({"annotations":{}})"));
  CHECK_FALSE(facts_in_bundle_config(R"({"annotations":null})"));
  // Half a pod is none; control characters do not reach a terminal.
  CHECK_FALSE(facts_in_bundle_config(R"({"annotations":{"io.kubernetes.pod.name":"p"}})"));
  CHECK(facts_in_bundle_config(R"({"annotations":{"nerdctl/name":"a\u001b[2J"}})") == ContainerFacts{"a\\033[2J", ""});
}

TEST_CASE("runtime files: lists and states", "[cgroups]") {
  CHECK(facts_in_storage_list(R"([{"id":"a","names":["x"]},{"id":"b","names":["web","other"]}])", "b") ==
        ContainerFacts{"web", ""});
  CHECK_FALSE(facts_in_storage_list(R"([{"id":"b"}])", "b"));
  CHECK_FALSE(facts_in_storage_list(R"({"id":"b"})", "b"));
  const std::optional<RuntimeState> crun = state_in_crun(R"({"pid":1,"cgroup-path":"/web-1","bundle":"/b"})");
  REQUIRE(crun);
  CHECK(crun->cgroup_path == "/web-1");
  CHECK(crun->bundle == "/b");
  const std::optional<RuntimeState> runc =
      state_in_runc(R"({"id":"w","cgroup_paths":{"":"/sys/fs/cgroup/web-2"},"config":{"labels":["x=y","bundle=/c"]}})",
                    "/sys/fs/cgroup");
  REQUIRE(runc);
  CHECK(runc->cgroup_path == "/web-2");
  CHECK(runc->bundle == "/c");
  CHECK(state_in_runc(R"({"cgroup_paths":{"":"/sys/fs/cgroup/w"}})", "/sys/fs/cgroup/unified")->cgroup_path == "/w");
  CHECK_FALSE(state_in_crun("{\"cgroup-path\":"));
  CHECK_FALSE(state_in_runc("null", ""));
}

TEST_CASE("runtime files: each runtime keeps them elsewhere", "[cgroups]") {
  const Root root;
  RuntimeFiles files = root.files();
  CHECK_FALSE(files.facts_of(kId));
  CHECK_FALSE(files.facts_of("../../etc"));
  root.put("/run/containers/storage/overlay-containers/volatile-containers.json",
           R"([{"id":")" + kId + R"(","names":["pod-man"]}])");
  CHECK(files.facts_of(kId) == ContainerFacts{"pod-man", ""});
  root.put("/run/containerd/io.containerd.runtime.v2.task/k8s.io/" + kId + "/config.json",
           R"({"annotations":{"io.kubernetes.cri.container-name":"app","io.kubernetes.cri.sandbox-name":"p",
              "io.kubernetes.cri.sandbox-namespace":"n"}})");
  CHECK(files.facts_of(kId) == ContainerFacts{"app", "n/p"});
  root.put("/var/lib/docker/containers/" + kId + "/config.v2.json", R"({"Name":"/dock"})");
  CHECK(files.facts_of(kId) == ContainerFacts{"dock", ""});
}

TEST_CASE("cgroup names: a name that comes late, and stays", "[cgroups]") {
  const Root root;
  CgroupNames names;
  names.set_files(root.files());
  names.born(1, "/");
  names.born(10, "/docker");
  names.born(11, "/docker/" + kId);
  names.born(12, "/docker/" + kId + "/sub");
  CHECK(names.text(11, Variable::k_container) == "0123456789ab");  // never the host's
  CHECK(names.text(11, Variable::k_zonename) == "0123456789ab");
  CHECK(names.text(1, Variable::k_container).empty());
  CHECK(names.text(1, Variable::k_zonename) == "global");
  CHECK(names.text(12, Variable::k_cgrouppath) == "/docker/" + kId + "/sub");
  CHECK(names.text(99, Variable::k_container) == "cgroup:99");
  root.put("/var/lib/docker/containers/" + kId + "/config.v2.json", R"({"Name":"/web-1")");  // half written
  CHECK(names.look_again().empty());
  root.put("/var/lib/docker/containers/" + kId + "/config.v2.json", R"({"Name":"/web-1"})");
  CHECK(names.look_again().size() == 2);
  CHECK(names.text(11, Variable::k_container) == "web-1");
  CHECK(names.text(12, Variable::k_container) == "web-1");
  root.remove("/var");
  names.gone(12);
  names.gone(11);
  CHECK(names.look_again().empty());
  CHECK(names.text(12, Variable::k_container) == "web-1");
}

TEST_CASE("cgroup names: a runtime claims a cgroup of any name, at any time", "[cgroups]") {
  const Root root;
  CgroupNames names;
  names.set_files(root.files());
  names.born(1, "/");
  names.born(20, "/web-1");
  names.born(21, "/system.slice");
  names.born(22, "/system.slice/box.service");
  names.look_again();
  CHECK(names.text(20, Variable::k_container).empty());
  CHECK_FALSE(names.find(20)->is_settled);
  CHECK(names.find(22)->is_settled);
  CHECK(names.has_unnamed());
  root.put("/run/crun/web-1/status", R"({"cgroup-path":"/web-1","bundle":""})");
  root.put("/run/crun/odd/status", R"({"cgroup-path":"/system.slice/box.service","bundle":""})");
  CHECK(names.look_again().size() == 2);
  CHECK(names.text(20, Variable::k_container) == "web-1");
  CHECK(names.text(22, Variable::k_container) == "odd");  // settled, and yet claimed
  names.born(23, "/web-1/nested");
  CHECK(names.text(23, Variable::k_container) == "web-1");
  root.remove("/run");
  names.look_again();
  names.born(24, "/web-1/later");
  CHECK(names.text(24, Variable::k_container) == "web-1");
}

TEST_CASE("cgroup names: options", "[cgroups]") {
  const Root root;
  root.put("/run/crun/web-1/status", R"({"cgroup-path":"/web-1","bundle":"/b"})");
  root.put("/run/crun/web-2/status", R"({"cgroup-path":"/web-1/inner","bundle":"/b"})");
  CgroupNames names;
  names.set_files(root.files());
  names.read_claims();
  names.born(1, "/");
  names.born(2, "/web-1");
  names.born(3, "/web-1/inner");
  names.born(4, "/system.slice");
  names.born(5, "/system.slice/ssh.service");
  names.born(6, "/docker/" + kId);
  const auto wanted = [&](const Options &options) {
    std::string ids;
    for (uint64_t id = 1; id <= 6; ++id)
      if (names.is_wanted(*names.find(id), options)) ids += std::to_string(id);
    return ids;
  };
  Options none, container, two, unit, cgroup, id, both;
  CHECK(wanted(none) == "123456");
  set(container, "container", "web-1");
  CHECK(wanted(container) == "23");
  set(two, "container", "web-2");
  set(two, "container", "nobody");
  CHECK(wanted(two) == "3");
  CHECK(names.unmet(two) == std::vector<std::string>{"container nobody"});
  set(unit, "unit", "ssh");
  CHECK(wanted(unit) == "5");
  set(cgroup, "cgroup", "/system.slice/");
  CHECK(wanted(cgroup) == "45");
  set(id, "container", kId.substr(0, 12).c_str());
  CHECK(wanted(id) == "6");
  set(both, "container", "web-1");
  set(both, "cgroup", "/web-1/inner");
  CHECK(wanted(both) == "3");
}

TEST_CASE("cgroup hierarchy: where it is mounted", "[cgroups]") {
  const std::optional<Hierarchy> hybrid = hierarchy_in(
      "30 25 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
      "31 30 0:27 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw\n"
      "32 30 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  REQUIRE(hybrid);
  CHECK(hybrid->mount == "/sys/fs/cgroup/unified");
  CHECK(hybrid->prefix.empty());
  const std::optional<Hierarchy> part = hierarchy_in("31 30 0:27 /a\\040b /c rw - cgroup2 cgroup2 rw\n");
  REQUIRE(part);
  CHECK(part->prefix == "/a b");
  CHECK(cgroup_path_of("/c/x/", &*part) == "/a b/x");
  CHECK(cgroup_path_of("x", nullptr) == "/x");
  const std::string several =
      "31 30 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
      "40 30 0:27 / /jail/sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
      "41 30 0:27 /a/b /jail/part rw - cgroup2 cgroup2 rw\n";
  const std::optional<Hierarchy> first = hierarchy_in(several);
  REQUIRE(first);
  CHECK(first->mount == "/sys/fs/cgroup/unified");
  CHECK(first->others.size() == 2);
  CHECK(cgroup_path_of("/sys/fs/cgroup/unified/x/", &*first) == "/x");
  CHECK(cgroup_path_of("/jail/sys/fs/cgroup/unified/x", &*first) == "/x");
  CHECK(cgroup_path_of("/jail/part/x", &*first) == "/a/b/x");
  CHECK(cgroup_path_of("/jail/x", &*first) == "/jail/x");
  const std::optional<Hierarchy> second =
      hierarchy_in(several, [](const std::string &mount) { return mount.starts_with("/jail"); });
  REQUIRE(second);
  CHECK(second->mount == "/jail/sys/fs/cgroup/unified");
  CHECK(cgroup_path_of("/sys/fs/cgroup/unified/x", &*second) == "/x");
  CHECK_FALSE(hierarchy_in("31 30 0:27 / /c rw - cgroup cgroup rw\nnonsense\n\n1 2 3 4 5 6 7\n"));
}
