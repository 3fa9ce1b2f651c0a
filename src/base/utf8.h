// SPDX-License-Identifier: Apache-2.0
// Whether bytes are UTF-8, and what is made of them where only UTF-8 will do: traced programs hold any bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dtrace {

/// Length of the well-formed UTF-8 sequence at the start of `text`, which is not empty; 0: there is none.
size_t utf8_length(std::string_view text);

bool is_utf8(std::string_view text);

/// Each byte that belongs to no well-formed sequence becomes U+FFFD.
std::string utf8_text(std::string_view text);

}  // namespace dtrace
