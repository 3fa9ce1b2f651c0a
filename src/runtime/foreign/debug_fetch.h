// SPDX-License-Identifier: Apache-2.0
// Debug files from servers, by build ID (option debuginfod). The client library of elfutils is loaded when the first
// file is needed: a run that fetches nothing does not load it.
//
// What a reader would get wrong: a server may send any bytes, at any speed. Time and size of each file are limited, and
// a file with another build ID is refused.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/foreign_limits.h"
#include "base/owned.h"
#include "base/result.h"

namespace dtrace::runtime {

class DebugFetch {
 public:
  struct Bounds {
    uint64_t bytes = limits::kMaxDwarfBytes;
    std::chrono::milliseconds time = std::chrono::minutes(10);
    uint64_t cache_bytes = uint64_t{4} << 30;  // of all files that are kept; a cache that the user names has no bound
  };
  struct User {
    /// Called some times a second once the server has stated the size; the same numbers: it is over. False: give up.
    std::function<bool(uint64_t done_bytes, uint64_t total_bytes)> progress;
    /// Gets why a file could not be fetched, once for each file.
    std::function<void(const std::string &problem)> warn;
  };

  /// `servers`: addresses with spaces between them; empty: those of DEBUGINFOD_URLS.
  DebugFetch(std::string servers, User user, Bounds bounds);
  DebugFetch(std::string servers, User user) : DebugFetch(std::move(servers), std::move(user), Bounds()) {}
  ~DebugFetch();

  /// Is any server known?
  bool has_servers() const;
  /// The debug file of a build, from the library's cache or from a server. None: it could not be fetched; the user was
  /// warned, under `name`. Not thread-safe: it sets the environment variables that tell the library servers and cache.
  Fd find(const std::vector<uint8_t> &build_id, std::string_view name);

 private:
  struct Library;
  Result<Unit> load();
  Result<Fd> fetch(const std::vector<uint8_t> &build_id);

  std::string servers_;
  User user_;
  Bounds bounds_;
  std::unique_ptr<Library> library_;
  bool is_broken_ = false;                       // the library
  std::map<std::vector<uint8_t>, bool> failed_;  // build IDs
};

}  // namespace dtrace::runtime
