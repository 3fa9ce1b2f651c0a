// SPDX-License-Identifier: Apache-2.0
// A provider definition file, as `dtrace -h -s` and `dtrace -G -s` take it, -> its providers.
//
// Read with tolerance where build systems need it: types may be unknown, anything may name a parameter, and what stands
// beside the providers (C declarations, translators, clauses) is passed over. Read strictly inside a provider: what is
// misspelled there would be a probe that nobody finds.
#pragma once

#include <vector>

#include "frontend/text/diag.h"
#include "usdt/provider.h"

namespace dtrace::usdt {

/// gcc takes 30 operands in one assembler statement, and each argument is two of them.
inline constexpr size_t kMaxProbeArguments = 15;
inline constexpr size_t kMaxNameLength = 63;

struct DefinitionFile {
  /// In order of their first block; blocks of one name are one provider.
  std::vector<Provider> providers;
  std::vector<Diagnostic> warnings;
};

/// In:      the text of `source`, preprocessed if the user wants that.
/// Errors:  D_SYNTAX; D_PROV_BADNAME (too long); D_PROV_PRDUP (a probe declared twice and differently, or two whose
///          macros would have one name); D_PROV_PRARGLEN (more than kMaxProbeArguments); D_PROV_PRXLATOR (a translated
///          argument without a native one); D_PRAGMA_INVAL, D_PRAGMA_MALFORM.
DefinitionFile read_definition_file(uint32_t source, Sources &sources, Diagnostics &diags);

/// "PYTHON_FUNCTION_ENTRY" for python and function__entry: what the header's macro is called.
std::string macro_name(std::string_view provider, std::string_view probe);

}  // namespace dtrace::usdt
