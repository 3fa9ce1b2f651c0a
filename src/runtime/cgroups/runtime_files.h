// SPDX-License-Identifier: Apache-2.0
// Names of containers, from the files that container runtimes keep. No socket is asked.
//
// What a reader would get wrong: these files belong to others and change at any time. Each is read whole and bounded;
// one that is damaged, half written or of another shape says nothing, and is read again when the name is still wanted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace dtrace::runtime {

/// What is known of a container beside its id. Empty: not known.
struct ContainerFacts {
  std::string name;
  std::string pod;  ///< "namespace/name"
  friend bool operator==(const ContainerFacts &, const ContainerFacts &) = default;
};

// The files, as text. Nothing: no name in it. Any bytes are survived.
/// /var/lib/docker/containers/ID/config.v2.json.
std::optional<ContainerFacts> facts_in_docker_config(std::string_view text);
/// config.json of a bundle (containerd's tasks, CRI-O, podman): its annotations.
std::optional<ContainerFacts> facts_in_bundle_config(std::string_view text);
/// containers.json of podman's and CRI-O's storage: the name of container `id`.
std::optional<ContainerFacts> facts_in_storage_list(std::string_view text, std::string_view id);

/// A container and where its cgroup is.
struct RuntimeState {
  std::string cgroup_path;  ///< from the root of the unified hierarchy; empty: not in it
  std::string bundle;       ///< empty: not said
};
/// /run/runc/ID/state.json.
std::optional<RuntimeState> state_in_runc(std::string_view text, std::string_view mount);
/// /run/crun/ID/status.
std::optional<RuntimeState> state_in_crun(std::string_view text);

/// A container by the cgroup that a low-level runtime made for it.
struct Claim {
  std::string id;
  ContainerFacts facts;
};

class RuntimeFiles {
 public:
  /// `root`: where the host's files are, "" or "/proc/1/root". `mount`: the host's mount point of the unified
  /// hierarchy.
  explicit RuntimeFiles(std::string root = {}, std::string mount = "/sys/fs/cgroup")
      : root_(std::move(root)), mount_(std::move(mount)) {}

  /// Looks for the files of container `id`. Nothing: no runtime has named it, or not yet.
  std::optional<ContainerFacts> facts_of(const std::string &id) const;
  /// The containers of runc and crun by the paths of their cgroups, as their files say now. Files that did not change
  /// since the last call are not read again.
  std::map<std::string, Claim, std::less<>> claims();

 private:
  /// What tells one version of a file from another.
  struct Version {
    uint64_t inode = 0, size = 0;
    int64_t changed_ns = 0;
    bool operator==(const Version &) const = default;
  };
  struct Known {
    Version version;
    std::string cgroup_path;
    Claim claim;
  };
  std::optional<std::string> read(const std::string &path) const;
  std::optional<Version> version_of(const std::string &path) const;
  Known read_claim(const std::string &id, const std::string &file, bool is_runc) const;

  std::string root_, mount_;
  std::map<std::string, Known> known_;  // by file
};

}  // namespace dtrace::runtime
