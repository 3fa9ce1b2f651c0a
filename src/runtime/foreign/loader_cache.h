// SPDX-License-Identifier: Apache-2.0
// Which file the dynamic linker takes for the name of a library: its cache, as ldconfig(8) writes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dtrace::runtime {

struct CachedLibrary {
  std::string name;  ///< what programs ask for: "libz.so.1"
  std::string path;  ///< "/lib/x86_64-linux-gnu/libz.so.1", a symbolic link more often than not
  bool operator==(const CachedLibrary &) const = default;
};

/// The libraries in the bytes of a cache, for all machines; those that make no sense are left out. Empty: it is none.
/// Source: glibc 2.2 and later, "glibc-ld.so.cache1.1", alone or behind the format before it.
std::vector<CachedLibrary> parse_loader_cache(std::string_view bytes);

/// Those of this system. Empty: there is no cache (musl has none).
std::vector<CachedLibrary> cached_libraries();

}  // namespace dtrace::runtime
