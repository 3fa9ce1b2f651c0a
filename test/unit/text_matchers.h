// SPDX-License-Identifier: Apache-2.0
// Matchers of text whose names differ between the versions of Catch2.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#if CATCH_VERSION_MAJOR < 3
inline auto contains_text(const std::string &text) { return Catch::Matchers::Contains(text); }
#else
inline auto contains_text(const std::string &text) { return Catch::Matchers::ContainsSubstring(text); }
#endif
