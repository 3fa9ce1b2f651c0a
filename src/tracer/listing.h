// SPDX-License-Identifier: Apache-2.0
// Text of listings: -l, and what -v says of programs.
#pragma once

#include <string>

#include "tracer/compiler.h"

namespace dtrace::tracer {

/// What a listing is of.
struct Listed {
  FrontEnd &front_end;
  ProbeCatalog &catalog;
  CompileHost &host;
  TypeTable &types;
  Client &client;
};

/// The probes that the programs name, or all if there are none. `with_details`: stability and types of arguments. What
/// matched nothing is reported to the client.
std::string list_probes(const Listed &listed, bool with_details);
std::string list_probes(Compiler &compiler, bool with_details);

/// Stability of each program; `with_probes`: also of the probes that it names.
std::string stability_report(const Listed &listed, bool with_probes);
std::string stability_report(Compiler &compiler, bool with_probes);

}  // namespace dtrace::tracer
