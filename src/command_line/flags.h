// SPDX-License-Identifier: Apache-2.0
// The flags of the command line: one row each, which says what --help shows and what the flag does.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dtrace::command {

struct CommandLine;

struct Flag {
  /// Headings of --help, in their order. kBuildSystems: what those pass to other makers of probe headers; accepted with
  /// -h and -G only, without effect. kHidden: for our tests.
  enum class Section : uint8_t {
    kPrograms,
    kModes,
    kTracing,
    kMetrics,
    kProcesses,
    kPreprocessor,
    kBuildSystems,
    kHidden
  };
  std::string_view name;   ///< "n" for -n, "serve" for --serve
  std::string_view value;  ///< what stands for its value in --help; empty: it takes none
  Section section;
  std::string_view help;  ///< empty: --help does not show it
  /// What the flag does. `value` is empty if it takes none.
  void (*set)(CommandLine &, const Flag &, std::string value);
  std::string_view option{};  ///< what it sets, of a flag that is another way to write -x OPTION[=VALUE]
  /// The value, if that is left out. Then one is given as in --color=never, and not as a word of its own.
  std::string_view otherwise{};

  bool wants_value() const { return !value.empty() && otherwise.empty(); }
  /// As it is written: "-n", "--serve".
  std::string written() const { return (name.size() == 1 ? "-" : "--") + std::string(name); }
};

/// In the order of --help.
std::span<const Flag> flags();

}  // namespace dtrace::command
