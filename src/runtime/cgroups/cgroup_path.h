// SPDX-License-Identifier: Apache-2.0
// What the path of a cgroup says of the container that it belongs to. Pure: the names that runtimes write to files are
// in runtime_files.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dtrace::runtime {

/// A container as a component of a path names it.
struct PathContainer {
  std::string id;           ///< as the runtime calls it: 64 hexadecimal digits, or a name
  bool id_is_name = false;  ///< nothing has another name for it (machine-web.scope)
  std::string pod_uid;      ///< of the kubepods component above, with dashes; empty: none
};

/// The innermost container that `path` ("/a/b", from the root of the hierarchy) is in or below; nothing: no component
/// is one by its pattern. A runtime may still have given the container a cgroup of any other name.
std::optional<PathContainer> container_of_path(std::string_view path);

/// All of them, innermost first.
std::vector<PathContainer> containers_of_path(std::string_view path);

/// Is it certain from the path that no container begins here: the root, a slice, a service, a session?
bool is_of_host(std::string_view path);

/// Is `path` in or below the unit of systemd (X.service, X.slice, X.scope)? A name without a suffix means a service.
bool is_in_unit(std::string_view path, std::string_view unit);
/// The unit's name with its suffix.
std::string unit_name(std::string_view unit);

/// Is `path` `above` or below it?
bool is_below(std::string_view path, std::string_view above);

/// "0123456789ab" of a long hexadecimal id; other ids as they are.
std::string short_id(std::string_view id);

/// Does `text` mean the container with this id: the whole id, or at least 12 digits from its begin?
bool means_id(std::string_view text, std::string_view id);

}  // namespace dtrace::runtime
