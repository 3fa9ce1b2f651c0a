// SPDX-License-Identifier: Apache-2.0
#include "runtime/cgroups/cgroup_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/cgroup_options.h"
#include "base/printable.h"
#include "runtime/cgroups/cgroup_path.h"

namespace dtrace::runtime {
namespace {

constexpr size_t kMaxGone = 1 << 18;  // a few hundred bytes each
constexpr std::string_view kHostZone = "global";

std::string parent_of(const std::string &path) {
  const size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

}  // namespace

std::string cgroup_path_of(std::string_view text, const Hierarchy *hierarchy) {
  std::string path(text);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (hierarchy != nullptr) {
    // The innermost mount: one may be below another.
    std::pair<std::string_view, std::string_view> nearest;
    const auto note = [&](std::string_view mount, std::string_view prefix) {
      if (mount.size() > nearest.first.size() && is_below(path, mount)) nearest = {mount, prefix};
    };
    note(hierarchy->mount, hierarchy->prefix);
    for (const auto &[mount, prefix] : hierarchy->others) note(mount, prefix);
    if (!nearest.first.empty()) path = std::string(nearest.second) + path.substr(nearest.first.size());
  }
  if (!path.starts_with('/')) path.insert(0, 1, '/');
  return path;
}

void CgroupNames::read_system() {
  hierarchy_ = find_hierarchy();
  if (!hierarchy_) return;
  files_ = RuntimeFiles(hierarchy_->host, hierarchy_->mount);
  read_claims();
  std::unordered_set<uint64_t> there;
  walk_cgroups(*hierarchy_, [&](uint64_t id, std::string path) {
    there.insert(id);
    if (hierarchy_->is_hidden_part && hidden_top_ == 0) hidden_top_ = id;
    if (find(id) == nullptr) born(id, std::move(path));
  });
  std::vector<uint64_t> missing;
  for (const auto &[id, cgroup] : cgroups_)
    if (!cgroup.is_gone && !there.contains(id)) missing.push_back(id);
  for (const uint64_t id : missing) gone(id);
}

std::vector<uint64_t> CgroupNames::above(const std::string &path) const {
  std::vector<uint64_t> ids;
  for (std::string at = path; at != "/";) {
    at = parent_of(at);
    if (const auto known = by_path_.find(at); known != by_path_.end()) ids.push_back(known->second);
  }
  return ids;
}

void CgroupNames::born(uint64_t id, std::string path, uint64_t parent) {
  const auto [place, is_new] = cgroups_.try_emplace(id);
  Cgroup &cgroup = place->second;
  if (!is_new && !cgroup.path.empty()) return;
  cgroup.path = std::move(path);
  if (const Cgroup *outer = find(parent); outer != nullptr) {
    cgroup.around = {parent};
    cgroup.around.insert(cgroup.around.end(), outer->around.begin(), outer->around.end());
  } else {
    cgroup.around = above(cgroup.path);
  }
  by_path_[cgroup.path] = id;
  resolve(cgroup);
}

void CgroupNames::gone(uint64_t id) {
  const auto known = cgroups_.find(id);
  if (known == cgroups_.end() || known->second.is_gone) return;
  known->second.is_gone = true;
  if (const auto path = by_path_.find(known->second.path); path != by_path_.end() && path->second == id)
    by_path_.erase(path);
  gone_.push_back(id);
  if (gone_.size() <= kMaxGone) return;
  cgroups_.erase(gone_.front());
  gone_.pop_front();
}

/// Returns whether something changed.
bool CgroupNames::resolve(Cgroup &cgroup) {
  if (cgroup.has_name && !cgroup.pod.empty()) return false;
  const Cgroup before = cgroup;
  // The innermost of what paths and runtimes say; a cgroup below a container is the container's.
  std::string path = cgroup.path;
  const auto claim_of = [&](const std::string &at) { return claims_.find(at); };
  auto claim = claims_.end();
  for (std::string at = path; claim == claims_.end() && at != "/"; at = parent_of(at)) claim = claim_of(at);
  const std::optional<PathContainer> container = container_of_path(path);
  ContainerFacts facts;
  if (container) {
    cgroup.in_path = true;
    cgroup.id = container->id;
    facts = files_.facts_of(container->id).value_or(ContainerFacts());
    if (facts.name.empty() && container->id_is_name) facts.name = printable(container->id);
  }
  if (claim != claims_.end()) {
    const Claim &claimed = claim->second;
    if (cgroup.id.empty()) cgroup.id = claimed.id;
    const bool same = claimed.id == cgroup.id;
    if (facts.name.empty() && (!container || !same || claimed.facts.name != claimed.id))
      facts.name = claimed.facts.name;
    if (facts.pod.empty()) facts.pod = claimed.facts.pod;
  }
  if (cgroup.id.empty()) {
    // Whatever is known of the nearest container around it, which may be gone from the files by now.
    for (const uint64_t id : cgroup.around)
      if (const Cgroup *outer = find(id); outer != nullptr && !outer->id.empty()) {
        cgroup.id = outer->id;
        facts = {outer->has_name ? outer->container : std::string(), outer->pod};
        break;
      }
  }
  // Some container's, of which we cannot see more from within: it must not pass for the host.
  const bool is_hidden = hidden_top_ != 0 && (find(hidden_top_) == &cgroup ||
                                              std::ranges::find(cgroup.around, hidden_top_) != cgroup.around.end());
  if (cgroup.id.empty() && is_hidden) cgroup.id = facts.name = fmt::format("cgroup:{}", hidden_top_);
  if (!cgroup.has_name && !facts.name.empty()) {
    cgroup.container = facts.name;
    cgroup.has_name = true;
  }
  if (cgroup.container.empty() && !cgroup.id.empty()) cgroup.container = printable(short_id(cgroup.id));
  if (cgroup.pod.empty()) cgroup.pod = facts.pod;
  const bool waits_for_pod = container && !container->pod_uid.empty() && cgroup.pod.empty();
  cgroup.is_settled = cgroup.has_name ? !waits_for_pod : cgroup.id.empty() && is_of_host(cgroup.path);
  return cgroup.container != before.container || cgroup.pod != before.pod || cgroup.is_settled != before.is_settled;
}

std::vector<uint64_t> CgroupNames::look_again() {
  std::vector<uint64_t> changed;
  read_claims();
  nr_unnamed_ = 0;
  for (auto &[id, cgroup] : cgroups_) {
    if (cgroup.is_gone || (cgroup.is_settled && !is_claimed(cgroup))) continue;
    if (resolve(cgroup)) changed.push_back(id);
    nr_unnamed_ += !cgroup.is_settled;
  }
  return changed;
}

void CgroupNames::read_claims() { claims_ = files_.claims(); }

/// A runtime says that it is a container, and it was taken for the host's.
bool CgroupNames::is_claimed(const Cgroup &cgroup) const { return cgroup.id.empty() && claims_.contains(cgroup.path); }

const CgroupNames::Cgroup *CgroupNames::find(uint64_t id) const {
  const auto known = cgroups_.find(id);
  return known == cgroups_.end() ? nullptr : &known->second;
}

std::string_view CgroupNames::text(uint64_t id, Variable name) {
  const Cgroup *cgroup = find(id);
  if (cgroup == nullptr) return *texts_.insert(fmt::format("cgroup:{}", id)).first;
  switch (name) {
    case Variable::k_cgrouppath:
      return *texts_.insert(printable(cgroup->path)).first;
    case Variable::k_pod:
      return *texts_.insert(cgroup->pod).first;
    case Variable::k_zonename:
      return cgroup->container.empty() ? kHostZone : *texts_.insert(cgroup->container).first;
    default:
      return *texts_.insert(cgroup->container).first;
  }
}

bool CgroupNames::is_wanted_container(const Cgroup &cgroup, std::string_view wanted) const {
  const auto is_it = [&](const Cgroup &one) {
    return !one.container.empty() && (one.container == wanted || means_id(wanted, one.id));
  };
  // A container within a container is the outer one's as well.
  return is_it(cgroup) || std::ranges::any_of(cgroup.around, [&](uint64_t id) {
           const Cgroup *above = find(id);
           return above != nullptr && is_it(*above);
         });
}

bool CgroupNames::is_meant(const Cgroup &cgroup, Opt option, const std::string &text) const {
  switch (option) {
    case Opt::container:
      return is_wanted_container(cgroup, text);
    case Opt::pod:
      return cgroup.pod == text;
    case Opt::unit:
      return is_in_unit(cgroup.path, text);
    default:
      return is_below(cgroup.path, cgroup_path_of(text, hierarchy()));
  }
}

bool CgroupNames::is_wanted(const Cgroup &cgroup, const Options &options) const {
  return std::ranges::all_of(kCgroupOptions, [&](Opt option) {
    if (!options.is_set(option)) return true;
    return std::ranges::any_of(options.list(option),
                               [&](const std::string &text) { return is_meant(cgroup, option, text); });
  });
}

std::vector<std::string> CgroupNames::unmet(const Options &options) const {
  std::vector<std::string> missing;
  for (const Opt option : kCgroupOptions)
    for (const std::string &text : options.list(option))
      if (std::ranges::none_of(cgroups_, [&](const auto &entry) {
            return !entry.second.is_gone && is_meant(entry.second, option, text);
          }))
        missing.push_back(fmt::format("{} {}", option_name(option), printable(text)));
  return missing;
}

std::vector<pid_t> CgroupNames::wanted_processes(const Options &options) const {
  std::vector<pid_t> pids;
  if (!hierarchy_) return pids;
  for (const auto &[id, cgroup] : cgroups_) {
    if (cgroup.is_gone || !is_wanted(cgroup, options)) continue;
    const std::vector<pid_t> own = processes_of(*hierarchy_, cgroup.path);
    pids.insert(pids.end(), own.begin(), own.end());
  }
  std::ranges::sort(pids);
  return pids;
}

}  // namespace dtrace::runtime
