// SPDX-License-Identifier: Apache-2.0
// -l and the stability reports of -v.
#pragma once

#include <string>

#include "main/session.h"

namespace dtrace {

/// The list of -l: all probes, or those of each program's descriptions.
std::string list_probes(Session &session);
/// What -v says of the programs; with -e also each distinct description.
std::string stability_report(Session &session);

}  // namespace dtrace
