// SPDX-License-Identifier: Apache-2.0
// `dtrace -h` and `dtrace -G`: what build systems call. Neither the kernel nor privileges are asked for, and nothing
// goes to stdout unless `-o -` says so.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dtrace::command {

/// What the command line asks for.
struct BuildRequest {
  std::vector<std::string> scripts;  ///< -s
  bool has_clauses = false;          ///< -n and its like, which define no provider
  std::vector<std::string> objects;  ///< operands of -G
  std::optional<std::string> output;
  std::optional<int> data_model;  ///< -32, -64
  /// Option settings left to right: name, value.
  std::vector<std::pair<std::string, std::optional<std::string>>> settings;
  /// Takes messages, without "dtrace: " and newline.
  std::function<void(std::string_view)> report;
};

/// Mode -h. Exit status: 0, 1 for errors, 2 for usage.
int make_header(const BuildRequest &request);

/// Mode -G. Exit status as above.
int make_object(const BuildRequest &request);

}  // namespace dtrace::command
