// SPDX-License-Identifier: Apache-2.0
// Words of a command line as one text.
#pragma once

#include <span>
#include <string>

namespace dtrace::command {

/// Text that -c takes apart into these words.
std::string quoted(std::span<char *const> words);

/// The same for people: words that no shell minds stand as they are.
std::string typed_text(std::span<char *const> words);

}  // namespace dtrace::command
