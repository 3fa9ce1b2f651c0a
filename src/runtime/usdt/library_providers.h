// SPDX-License-Identifier: Apache-2.0
// Providers as the D library defines them: types and stability for programs that carry no notes of ours, which is all
// that distributions ship. A program's own note comes first.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "frontend/check/library.h"
#include "usdt/provider.h"

namespace dtrace::runtime {

/// The library file that defines a provider of that name; nullptr: none.
using ProviderFileFinder = std::function<const LibraryFile *(std::string_view provider)>;

class LibraryProviders {
 public:
  void set_finder(ProviderFileFinder finder) { finder_ = std::move(finder); }

  /// nullptr: no library file defines it; valid as long as this. Errors: the file that does makes no sense.
  Result<const usdt::Provider *> find(std::string_view name);
  /// The probe of that D name; nullptr: none. Errors: as above.
  Result<const usdt::Probe *> find(std::string_view provider, std::string_view probe);

 private:
  ProviderFileFinder finder_;
  std::map<std::string, Result<std::optional<usdt::Provider>>, std::less<>> known_;
};

}  // namespace dtrace::runtime
