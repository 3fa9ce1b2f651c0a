// SPDX-License-Identifier: Apache-2.0
// The entries of a folder, without exceptions: one that cannot be read on (no memory, a broken disk) ends early.
#pragma once

#include <filesystem>
#include <system_error>

namespace dtrace {

/// Calls `each(const std::filesystem::directory_entry &)` for every entry, in no order, except "." and "..". The error,
/// if not all could be read.
template <typename Each>
std::error_code each_entry(const std::filesystem::path &folder, Each each) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (const std::filesystem::directory_iterator end; !error && entry != end; entry.increment(error)) each(*entry);
  return error;
}

}  // namespace dtrace
