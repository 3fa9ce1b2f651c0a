// SPDX-License-Identifier: Apache-2.0
#include "runtime/cgroups/runtime_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "base/folder.h"
#include "base/printable.h"
#include "base/read_file.h"
#include "runtime/cgroups/cgroup_path.h"

namespace dtrace::runtime {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr size_t kMaxFileBytes = 8 << 20;
constexpr size_t kMaxNameBytes = 253;
constexpr int64_t kSecond = 1'000'000'000;
constexpr size_t kMaxContainers = 1 << 14;  // of one runtime

/// Names of others that go to a terminal, a table, a comparison.
std::string cleaned(std::string text) {
  if (text.size() > kMaxNameBytes) text.resize(kMaxNameBytes);
  return printable(text);
}

Json parsed(std::string_view text) { return Json::parse(text, nullptr, false); }

const Json *member(const Json *object, const char *name) {
  if (object == nullptr || !object->is_object()) return nullptr;
  const auto found = object->find(name);
  return found == object->end() ? nullptr : &*found;
}

std::string text_of(const Json *value) {
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

/// The first of these members that is a text and not empty.
std::string first_text(const Json *object, std::span<const char *const> names) {
  for (const char *name : names)
    if (std::string text = text_of(member(object, name)); !text.empty()) return text;
  return {};
}

// Newer and more specific ones first.
constexpr const char *kNames[] = {"io.kubernetes.cri.container-name", "io.kubernetes.container.name", "nerdctl/name",
                                  "io.podman.annotations.name"};
constexpr const char *kPodNames[] = {"io.kubernetes.cri.sandbox-name", "io.kubernetes.pod.name"};
constexpr const char *kPodNamespaces[] = {"io.kubernetes.cri.sandbox-namespace", "io.kubernetes.pod.namespace"};
constexpr const char *kTypes[] = {"io.kubernetes.cri.container-type", "io.kubernetes.cri-o.ContainerType",
                                  "io.kubernetes.docker.type"};

/// What annotations or labels say. The container that holds a pod's namespaces has no name of its own.
ContainerFacts facts_in_labels(const Json *labels) {
  ContainerFacts facts;
  facts.name = cleaned(first_text(labels, kNames));
  const std::string type = first_text(labels, kTypes);
  if (facts.name.empty() && (type == "sandbox" || type == "podsandbox")) facts.name = "POD";
  const std::string name = first_text(labels, kPodNames), space = first_text(labels, kPodNamespaces);
  if (!name.empty() && !space.empty()) facts.pod = cleaned(space + '/' + name);
  return facts;
}

std::optional<ContainerFacts> if_any(ContainerFacts facts) {
  return facts.name.empty() && facts.pod.empty() ? std::nullopt : std::optional(std::move(facts));
}

}  // namespace

std::optional<ContainerFacts> facts_in_docker_config(std::string_view text) {
  const Json json = parsed(text);
  ContainerFacts facts = facts_in_labels(member(member(&json, "Config"), "Labels"));
  if (facts.name.empty()) {
    std::string name = text_of(member(&json, "Name"));
    if (name.starts_with('/')) name.erase(0, 1);
    facts.name = cleaned(std::move(name));
  }
  return if_any(std::move(facts));
}

std::optional<ContainerFacts> facts_in_bundle_config(std::string_view text) {
  const Json json = parsed(text);
  return if_any(facts_in_labels(member(&json, "annotations")));
}

std::optional<ContainerFacts> facts_in_storage_list(std::string_view text, std::string_view id) {
  const Json json = parsed(text);
  if (!json.is_array()) return std::nullopt;
  for (const Json &entry : json) {
    if (text_of(member(&entry, "id")) != id) continue;
    const Json *names = member(&entry, "names");
    if (names == nullptr || !names->is_array() || names->empty()) return std::nullopt;
    return if_any({cleaned(text_of(&names->front())), {}});
  }
  return std::nullopt;
}

std::optional<RuntimeState> state_in_runc(std::string_view text, std::string_view mount) {
  const Json json = parsed(text);
  if (!json.is_object()) return std::nullopt;
  RuntimeState state;
  // The key of the unified hierarchy is empty, and the path is one in the file system.
  std::string path = text_of(member(member(&json, "cgroup_paths"), ""));
  // The runtime may have seen it at another mount point than we do.
  for (const std::string_view point :
       {mount, std::string_view("/sys/fs/cgroup/unified"), std::string_view("/sys/fs/cgroup")})
    if (is_below(path, point)) {
      path.erase(0, point.size());
      break;
    }
  state.cgroup_path = std::move(path);
  const Json *labels = member(member(&json, "config"), "labels");
  constexpr std::string_view kBundle = "bundle=";
  if (labels != nullptr && labels->is_array())
    for (const Json &label : *labels)
      if (const std::string pair = text_of(&label); pair.starts_with(kBundle))
        state.bundle = pair.substr(kBundle.size());
  return state;
}

std::optional<RuntimeState> state_in_crun(std::string_view text) {
  const Json json = parsed(text);
  if (!json.is_object()) return std::nullopt;
  RuntimeState state;
  state.cgroup_path = text_of(member(&json, "cgroup-path"));
  state.bundle = text_of(member(&json, "bundle"));
  if (!state.cgroup_path.empty() && !state.cgroup_path.starts_with('/')) state.cgroup_path.insert(0, 1, '/');
  return state;
}

std::optional<std::string> RuntimeFiles::read(const std::string &path) const {
  Result<std::string> text = read_file(root_ + path, kMaxFileBytes);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

std::optional<ContainerFacts> RuntimeFiles::facts_of(const std::string &id) const {
  if (id.empty() || id.find('/') != std::string::npos || id == "." || id == "..") return std::nullopt;
  if (const auto text = read("/var/lib/docker/containers/" + id + "/config.v2.json"))
    if (auto facts = facts_in_docker_config(*text)) return facts;
  std::error_code ignored;
  ContainerFacts found;
  const auto take = [&](const std::optional<ContainerFacts> &facts) {
    if (!facts) return;
    if (found.name.empty()) found.name = facts->name;
    if (found.pod.empty()) found.pod = facts->pod;
  };
  for (const char *tasks :
       {"/run/containerd/io.containerd.runtime.v2.task", "/run/k3s/containerd/io.containerd.runtime.v2.task",
        "/run/containerd/io.containerd.runtime.v1.linux"})
    (void)each_entry(root_ + tasks, [&](const fs::directory_entry &space) {
      if (const auto text =
              read(std::string(tasks) + '/' + space.path().filename().string() + '/' + id + "/config.json"))
        take(facts_in_bundle_config(*text));
    });
  for (const char *storage : {"/run/containers/storage", "/var/lib/containers/storage"}) {
    const std::string containers = std::string(storage) + "/overlay-containers/";
    if (const auto text = read(containers + id + "/userdata/config.json")) take(facts_in_bundle_config(*text));
    for (const char *list : {"containers.json", "volatile-containers.json"})
      if (found.name.empty())
        if (const auto text = read(containers + list)) take(facts_in_storage_list(*text, id));
  }
  return if_any(std::move(found));
}

std::optional<RuntimeFiles::Version> RuntimeFiles::version_of(const std::string &path) const {
  struct stat info{};
  if (stat((root_ + path).c_str(), &info) != 0) return std::nullopt;
  return Version{info.st_ino, static_cast<uint64_t>(info.st_size),
                 info.st_ctim.tv_sec * kSecond + info.st_ctim.tv_nsec};
}

RuntimeFiles::Known RuntimeFiles::read_claim(const std::string &id, const std::string &file, bool is_runc) const {
  Known known{{}, {}, {id, {}}};
  const std::optional<std::string> text = read(file);
  if (!text) return known;
  const std::optional<RuntimeState> state = is_runc ? state_in_runc(*text, mount_) : state_in_crun(*text);
  if (!state || state->cgroup_path.empty()) return known;
  known.cgroup_path = state->cgroup_path;
  if (!state->bundle.empty())
    if (const auto config = read(state->bundle + "/config.json"))
      known.claim.facts = facts_in_bundle_config(*config).value_or(ContainerFacts());
  if (known.claim.facts.name.empty()) known.claim.facts.name = cleaned(id);
  return known;
}

std::map<std::string, Claim, std::less<>> RuntimeFiles::claims() {
  struct Runtime {
    const char *directory, *file;
    bool is_runc;
  };
  constexpr Runtime kRuntimes[] = {{"/run/crun", "/status", false}, {"/run/runc", "/state.json", true}};
  std::map<std::string, Claim, std::less<>> claims;
  std::map<std::string, Known> known;
  for (const Runtime &runtime : kRuntimes) {
    (void)each_entry(root_ + runtime.directory, [&](const fs::directory_entry &entry) {
      if (claims.size() >= kMaxContainers) return;
      const std::string id = entry.path().filename().string();
      const std::string file = std::string(runtime.directory) + '/' + id + runtime.file;
      const std::optional<Version> version = version_of(file);
      if (!version) return;
      const auto before = known_.find(file);
      const bool is_same = before != known_.end() && before->second.version == *version;
      Known &now = known[file];
      now = is_same ? before->second : read_claim(id, file, runtime.is_runc);
      now.version = *version;
      if (!now.cgroup_path.empty()) claims.emplace(now.cgroup_path, now.claim);
    });
  }
  known_ = std::move(known);
  return claims;
}

}  // namespace dtrace::runtime
