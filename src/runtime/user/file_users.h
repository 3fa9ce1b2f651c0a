// SPDX-License-Identifier: Apache-2.0
// Which files nobody has mapped to execute them, as the kernel knows it: in all namespaces, and without a walk of
// processes that could miss one.
//
// What a reader would get wrong: the file that an overlay shows is not the one that processes map, and which one that
// is changes when it is written to. So a file is mapped from the time on that it is asked about.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>

#include "base/owned.h"
#include "base/result.h"

struct bpf_link;
struct bpf_object;

namespace dtrace::runtime {

/// Maps the file's first page, which is never read: a file that is truncated would be SIGBUS. Null: it cannot be
/// mapped.
Mapping map_for_users(int fd);

class FileUsers {
 public:
  /// Loads the program. Errors: the kernel refuses it (those before 6.1 walk all processes).
  static Result<FileUsers> open();

  /// Addresses of our mappings of such files. Errors: the walk fails.
  Result<std::set<uintptr_t>> mappings_of_unused() const;

 private:
  struct Close {
    void operator()(bpf_object *object) const;
    void operator()(bpf_link *link) const;
  };
  std::unique_ptr<bpf_object, Close> object_;
  std::unique_ptr<bpf_link, Close> link_;
};

}  // namespace dtrace::runtime
