// SPDX-License-Identifier: Apache-2.0
// Runs the C preprocessor over a script. What it writes to stderr goes to ours.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "frontend/syntax/preprocess.h"

namespace dtrace::runtime {

/// In:      a script's whole text, `#!` line included.
/// Out:     the preprocessed text with cpp's line markers, which the lexer understands.
/// Errors:  "Preprocessor not found", "Failed to exec preprocessor", "Preprocessor failed to process input program", or
/// the
///          system's for pipes and memory.
Result<std::string> preprocess(const PreprocessOptions &options, std::string_view script);

/// Fills in what uname(2) knows: system_name, system_release, machine.
void ask_uname(PreprocessOptions &options);

}  // namespace dtrace::runtime
