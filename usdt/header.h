// SPDX-License-Identifier: Apache-2.0
// The C header of `dtrace -h`. It suffices by itself: a program that includes it has probes, semaphores and the
// provider notes, linked with an object of `dtrace -G` or not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "usdt/provider.h"

namespace dtrace::usdt {

/// In:      `file_name`, what the header will be called: its include guard is made of the last component.
/// Out:     the text. The same for the same input, always.
///
/// Build systems edit generated headers with sed, so the text keeps to this: names of macros for the user are the only
/// ones that begin with the provider's name in capitals, one a line and never in a macro's body; parameters are in
/// lower case; outside the prototypes for DTRACE_TYPECHECK there is no pointer type, and types in notes are numbers.
std::string header_text(const std::vector<Provider> &providers, std::string_view file_name);

/// "_PROBES_H_TMP" for "dir/probes.h.tmp".
std::string include_guard(std::string_view file_name);

/// "foo_bar__baz_semaphore": the counter's symbol, an ABI shared with SystemTap.
std::string semaphore_name(std::string_view provider, std::string_view probe);

/// The part that all headers share, between guards of its own. See include/sys/usdt_helpers.h.
extern const std::string_view kHeaderHelpers;

}  // namespace dtrace::usdt
