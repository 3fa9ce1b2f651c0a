// SPDX-License-Identifier: Apache-2.0
// Files that cannot be read for their functions, among others that a description means: each is reported once.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/user/user_object.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

/// ": CAUSE", why no function of the file is known; empty: they are known.
inline std::string damage_of(const UserObject &object) {
  return object.error().empty() ? std::string() : ": " + object.error();
}

class DamagedFiles {
 public:
  /// The file was asked for functions.
  void note(const UserObject &object) {
    constexpr size_t kMaxTold = 100;  // anybody may make more of them
    if (object.error().empty() || told_.size() >= kMaxTold) return;
    // Not what compilers of a running program write.
    if (!usdt::ElfFile::claims_to_be_program(usdt::FileSource(object.file()->fd.get()))) return;
    if (!told_.insert(object.path()).second) return;
    problems_.push_back(told_.size() < kMaxTold ? "no function is known of " + object.error()
                                                : "more files are damaged: they are not named");
  }
  std::vector<std::string> take() { return std::exchange(problems_, {}); }

 private:
  std::set<std::string> told_;  // paths
  std::vector<std::string> problems_;
};

}  // namespace dtrace::runtime
