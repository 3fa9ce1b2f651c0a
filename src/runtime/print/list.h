// SPDX-License-Identifier: Apache-2.0
// Rows of -l, the blocks that -v adds, and the stability report of -v for programs.
// Source: D language reference, 6.8.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "frontend/lang/probe.h"

namespace dtrace::runtime {

/// The heading of -l.
void append_list_header(std::string &out);
/// One probe. `function`: how its function is shown, which is demangled unless option `demangle` is off.
void append_list_row(std::string &out, const Probe &probe, std::string_view function);

/// What -v says of a probe.
struct ProbeDetails {
  Attributes probe;  ///< minimum over the four parts of its description
  Attributes arguments;
  std::span<const std::string> argument_types;  ///< D spelling; "" for an unknown type
  std::span<const std::string> variables = {};  ///< locals: name, type and where
};

/// The block below a row of -lv, and below a description of -e -v.
void append_probe_details(std::string &out, const ProbeDetails &details);

/// The report of a program: its heading and both attribute blocks, without what ends it: a newline, or under -e one
/// append_probe_description() per distinct probe description. `kind`: "description" or "script".
void append_stability_report(std::string &out, std::string_view kind, std::string_view name, const Attributes &probes,
                             const Attributes &statements);

}  // namespace dtrace::runtime
