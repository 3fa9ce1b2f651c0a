// SPDX-License-Identifier: Apache-2.0
// Compiled objects in files of a folder, one each. Only root has such a folder: another user's processes may differ in
// what they may do, but not in which files they may write, and an object is code that the kernel runs.
//
// What a reader would get wrong: nothing here is an error. A folder or file that another user could have written is
// passed over, and so is a file that is damaged, cut or of another version: its program is compiled again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/owned.h"
#include "base/result.h"
#include "plan/object_store.h"

namespace dtrace::runtime {

class ObjectFiles final : public ObjectStore {
 public:
  /// What the folder may hold; beyond that, what was not used for longest is removed.
  struct Bounds {
    uint64_t files = 512;
    uint64_t total_bytes = 32 << 20;
    uint64_t entry_bytes = 4 << 20;  ///< a larger one is not kept
  };
  static constexpr const char *kFolder = "/var/cache/dtrace";

  /// `folder` is absolute; its last part is made if it is not there. `identity`: ObjectStore's.
  /// Errors: why the folder cannot be used.
  static Result<std::unique_ptr<ObjectFiles>> open(const std::string &folder, std::string identity, Bounds bounds);
  static Result<std::unique_ptr<ObjectFiles>> open(const std::string &folder, std::string identity) {
    return open(folder, std::move(identity), Bounds());
  }

  std::string_view identity() const override { return identity_; }
  std::optional<std::string> find(const ObjectKey &key) override;
  void keep(const ObjectKey &key, std::string_view entry) override;

 private:
  ObjectFiles(Fd folder, std::string identity, Bounds bounds)
      : folder_(std::move(folder)), identity_(std::move(identity)), bounds_(bounds) {}
  bool write(const std::string &name, std::string_view header, std::string_view entry);
  void remove_oldest();

  Fd folder_;
  std::string identity_;
  Bounds bounds_;
};

/// Which dtrace this is (the build ID of the program or library that holds this code) and which kernel runs. Empty: the
/// build has no ID.
std::string build_and_kernel();

}  // namespace dtrace::runtime
