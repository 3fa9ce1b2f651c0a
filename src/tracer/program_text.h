// SPDX-License-Identifier: Apache-2.0
// What a tracer is given: programs and processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dtrace::tracer {

/// One D program: the argument of -P, -m, -f, -n, -i or -s.
struct ProgramText {
  enum class Kind : uint8_t { kProvider, kModule, kFunction, kName, kId, kScript } kind = Kind::kName;
  std::string text;                       ///< of a script, its path
  std::optional<std::string> contents{};  ///< of a script that is no file, and whose path is but a name
};

/// One process: the argument of -c or -p.
struct ProcessText {
  bool is_command = false;
  std::string text;
};

/// What the macro variables of programs stand for that their processes do not say.
struct MacroArguments {
  std::string argv0;              ///< $0 of programs that are no scripts
  std::vector<std::string> rest;  ///< $1 and so on
};

}  // namespace dtrace::tracer
