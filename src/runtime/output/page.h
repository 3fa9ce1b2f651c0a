// SPDX-License-Identifier: Apache-2.0
// Pages that need no other file: HTML of ours with a run's data in it.
#pragma once

#include <string>
#include <string_view>

namespace dtrace::runtime {

/// A page whose marks are replaced: "@STYLE@" by the style of all pages, "@DATA@" by JSON, spelt so that no
/// text of it can end the script element that it is in; "@SCRIPT@" by what scripts share. Each mark is there once, in
/// that order.
std::string page_of(std::string_view page, std::string_view json);

/// The data of a page that page_of() made: JSON without the character '<'.
std::string data_of(std::string_view page);

}  // namespace dtrace::runtime
