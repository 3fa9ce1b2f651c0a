// SPDX-License-Identifier: Apache-2.0
// Addresses in files instead of in processes: a function has one address in all processes that map its file. Each file
// has a range of addresses, in which its bytes follow each other.
//
// A file is identified by its name, build ID and segments, so the copies of a library in many images of containers are
// one file. Segments are part of the identity because patchelf(1) moves code and keeps the build ID. A file without a
// build ID is identified by device, inode, size and time.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace dtrace::runtime {

/// The pid of addresses in the space of files; no process has it.
inline constexpr pid_t kFileSpacePid = 0x7fffffff;

class FileSpace {
 public:
  static constexpr size_t kMaxFiles = 1 << 14;
  /// Bytes of a file that have addresses.
  static constexpr uint64_t kFileBytes = uint64_t{1} << 32;

  explicit FileSpace(size_t max_files = kMaxFiles) : max_files_(max_files) {}

  /// Where the addresses of a file begin; `identity` names it. Nothing: there are too many files.
  std::optional<uint64_t> base_of(const std::string &identity) {
    const auto known = bases_.find(identity);
    if (known != bases_.end()) return known->second;
    if (bases_.size() >= max_files_) return std::nullopt;
    return bases_.emplace(identity, kFileBytes * (bases_.size() + 1)).first->second;
  }

 private:
  size_t max_files_;
  std::unordered_map<std::string, uint64_t> bases_;
};

}  // namespace dtrace::runtime
