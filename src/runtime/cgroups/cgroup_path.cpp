// SPDX-License-Identifier: Apache-2.0
#include "runtime/cgroups/cgroup_path.h"

#include <algorithm>
#include <cctype>

namespace dtrace::runtime {
namespace {

constexpr size_t kShortIdDigits = 12;
constexpr size_t kLongIdDigits = 64;
constexpr std::string_view kScope = ".scope";

/// How a runtime names the scope that it asks systemd for: PREFIX-ID.scope. Without systemd some use PREFIX-ID as well.
struct Prefix {
  std::string_view text;
  bool id_is_hexadecimal;  ///< 64 digits; else any name, and only with .scope
  bool id_is_name;
};
constexpr Prefix kPrefixes[] = {
    {"docker-", true, false}, {"cri-containerd-", true, false}, {"crio-", true, false},
    {"libpod-", true, false}, {"nerdctl-", true, false},        {"runc-", false, true},
    {"crun-", false, true},   {"youki-", false, true},          {"machine-", false, true},
};
/// Directories whose children are containers: /docker/ID, /lxc/NAME.
struct Parent {
  std::string_view text;
  bool id_is_hexadecimal;
};
constexpr Parent kParents[] = {{"docker", true}, {"lxc", false}, {"lxc.payload", false}};
constexpr std::string_view kPayload = "lxc.payload.";
constexpr std::string_view kPodMark = "pod";

bool is_long_id(std::string_view text) {
  return text.size() == kLongIdDigits &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0 || (c >= 'a' && c <= 'f'); });
}

std::vector<std::string_view> components_of(std::string_view path) {
  std::vector<std::string_view> components;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    if (end != 0) components.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return components;
}

/// systemd writes bytes that a unit's name cannot have as \xNN.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](size_t at) {
      const auto c = static_cast<unsigned char>(text[at]);
      return std::isdigit(c) != 0 ? c - '0' : std::tolower(c) - 'a' + 10;
    };
    const auto is_digit = [&](size_t at) { return std::isxdigit(static_cast<unsigned char>(text[at])) != 0; };
    if (text.substr(i).starts_with("\\x") && i + 3 < text.size() && is_digit(i + 2) && is_digit(i + 3)) {
      plain += static_cast<char>(digit(i + 2) << 4 | digit(i + 3));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// "pod<uid>" at the end of a kubepods component; systemd's slices have `_` where the uid has `-`.
std::string pod_uid_of(std::string_view component) {
  constexpr std::string_view kSlice = ".slice";
  if (component.ends_with(kSlice)) component.remove_suffix(kSlice.size());
  const size_t mark = component.starts_with(kPodMark) ? 0 : component.rfind("-pod");
  if (mark == std::string_view::npos) return {};
  std::string uid(component.substr(mark + (mark == 0 ? kPodMark.size() : kPodMark.size() + 1)));
  std::ranges::replace(uid, '_', '-');
  return uid;
}

std::optional<PathContainer> container_in(std::string_view component, std::string_view parent, bool in_kubepods) {
  if (component.starts_with(kPayload) && component.size() > kPayload.size())
    return PathContainer{std::string(component.substr(kPayload.size())), true, {}};
  const bool is_scope = component.ends_with(kScope);
  std::string_view stem = component;
  if (is_scope) stem.remove_suffix(kScope.size());
  for (const Prefix &prefix : kPrefixes) {
    if (!stem.starts_with(prefix.text)) continue;
    const std::string_view id = stem.substr(prefix.text.size());
    if (prefix.id_is_hexadecimal ? is_long_id(id) : is_scope && !id.empty())
      return PathContainer{prefix.id_is_name ? unescaped(id) : std::string(id), prefix.id_is_name, {}};
  }
  for (const Parent &above : kParents)
    if (parent == above.text && (!above.id_is_hexadecimal || is_long_id(component)))
      return PathContainer{std::string(component), !above.id_is_hexadecimal, {}};
  // Below a pod, and where containerd or podman use no systemd, the id stands alone.
  if (is_long_id(stem) && (in_kubepods || !is_scope)) return PathContainer{std::string(stem), false, {}};
  return std::nullopt;
}

}  // namespace

std::vector<PathContainer> containers_of_path(std::string_view path) {
  std::vector<PathContainer> found;
  std::string pod_uid;
  std::string_view parent;
  bool in_kubepods = false;
  for (const std::string_view component : components_of(path)) {
    in_kubepods |= component.starts_with("kubepods");
    std::optional<PathContainer> container = container_in(component, parent, in_kubepods);
    if (container) {
      container->pod_uid = pod_uid;
      found.push_back(std::move(*container));
      in_kubepods = false;
      pod_uid.clear();
    } else if (in_kubepods) {
      if (std::string uid = pod_uid_of(component); !uid.empty()) pod_uid = std::move(uid);
    }
    parent = component;
  }
  std::ranges::reverse(found);
  return found;
}

std::optional<PathContainer> container_of_path(std::string_view path) {
  std::vector<PathContainer> all = containers_of_path(path);
  return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

bool is_of_host(std::string_view path) {
  const std::vector<std::string_view> components = components_of(path);
  if (components.empty()) return true;
  const std::string_view last = components.back();
  return last.ends_with(".slice") || last.ends_with(".service") || last == "init.scope" ||
         (last.starts_with("session-") && last.ends_with(kScope));
}

std::string unit_name(std::string_view unit) {
  constexpr std::string_view kSuffixes[] = {".service", ".slice", kScope, ".mount", ".socket", ".swap"};
  const bool has_suffix =
      std::ranges::any_of(kSuffixes, [&](std::string_view suffix) { return unit.ends_with(suffix); });
  return std::string(unit) + (has_suffix ? "" : ".service");
}

bool is_in_unit(std::string_view path, std::string_view unit) {
  const std::string wanted = unit_name(unit);
  return std::ranges::any_of(components_of(path), [&](std::string_view component) { return component == wanted; });
}

bool is_below(std::string_view path, std::string_view above) {
  while (above.ends_with('/')) above.remove_suffix(1);
  return path.starts_with(above) && (path.size() == above.size() || path[above.size()] == '/');
}

std::string short_id(std::string_view id) { return std::string(is_long_id(id) ? id.substr(0, kShortIdDigits) : id); }

bool means_id(std::string_view text, std::string_view id) {
  return text == id || (text.size() >= kShortIdDigits && is_long_id(id) && id.starts_with(text));
}

}  // namespace dtrace::runtime
