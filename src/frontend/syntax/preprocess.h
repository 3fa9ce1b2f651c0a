// SPDX-License-Identifier: Apache-2.0
// The C preprocessor's command line and the text it is given, as pure functions. Running it:
// runtime/process/preprocess_run.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dtrace {

struct PreprocessOptions {
  std::string cpp = "cpp";  ///< option cpppath
  std::string extra;        ///< option cppargs: arguments separated by blanks
  /// -D, -U and -I in command-line order: 'D' "name[=value]", 'U' "name", 'I' "dir".
  std::vector<std::pair<char, std::string>> arguments;
  bool list_headers = false;          ///< -H, option cpphdrs
  char conformance = 'a';             ///< -X a|c|s|t, option stdc
  bool model_32 = false;              ///< -32
  uint32_t version = 0;               ///< encoded D version: see encode_version()
  std::string system_name = "Linux";  ///< uname(2) sysname
  std::string system_release;         ///< uname(2) release
  std::string machine = "x86_64";     ///< uname(2) machine
  bool ends_by_signals = false;       ///< what ends us ends it: handlers may be installed while it runs
  std::string script;                 ///< path of the script: its directory is searched for `#include "..."`
};

/// major << 24 | minor << 12 | micro, the form of __SUNW_D_VERSION.
constexpr uint32_t encode_version(uint32_t major, uint32_t minor, uint32_t micro) {
  return major << 24 | minor << 12 | micro;
}

/// The version of the D language: what `dtrace -V` prints, and __SUNW_D_VERSION.
constexpr unsigned kLanguageMajor = 2, kLanguageMinor = 0, kLanguageMicro = 0;
constexpr uint32_t kLanguageVersion = encode_version(kLanguageMajor, kLanguageMinor, kLanguageMicro);

/// The argument vector of the preprocessor as a filter, its program first. The user's arguments come after the
/// predefined macros, so -U can take one of these away.
std::vector<std::string> preprocess_command(const PreprocessOptions &options);

/// The script as the preprocessor is to read it: under its own name `script`, and without a `#!` first line, whose
/// newline stays, so that lines keep their numbers.
std::string preprocess_input(std::string_view script, std::string_view text);

}  // namespace dtrace
