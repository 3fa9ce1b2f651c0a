// SPDX-License-Identifier: Apache-2.0
// Names of addresses as the recorded machine had them. What was not asked there is shown as a number.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "recording/model.h"
#include "runtime/symbols/file_space.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::replay {

class FileSymbolizer final : public runtime::Symbolizer {
 public:
  /// `names` outlives this.
  explicit FileSymbolizer(const std::vector<recording::Name> &names);

  std::string kernel_symbol(uint64_t address, bool want_offset) override;
  std::string kernel_module(uint64_t address) override;
  std::string user_symbol(runtime::UserImage image, uint64_t address, bool want_offset) override;
  std::vector<runtime::StackFrame> user_frames(runtime::UserImage image, uint64_t address, bool is_return) override;
  std::string user_module(runtime::UserImage image, uint64_t address) override;
  runtime::CodeMapping mapping(runtime::UserImage image, uint64_t address) override;
  /// See runtime::StackSharing. The address has the names of the first one that it stood for.
  std::optional<uint64_t> shared_address(runtime::UserImage image, uint64_t address);

 private:
  struct Key {
    recording::Name::Kind kind;
    bool flag;
    int32_t pid;
    uint32_t image;
    uint64_t address;
    friend bool operator==(const Key &, const Key &) = default;
  };
  struct Hash {
    size_t operator()(const Key &key) const;
  };
  /// Null, or with fewer than `texts` texts: it is not known.
  const recording::Name *find(const Key &key, size_t texts) const;
  std::string one_text(const Key &key) const;

  std::unordered_map<Key, const recording::Name *, Hash> names_;
  runtime::FileSpace files_;
  /// By address in files.
  std::unordered_map<uint64_t, std::pair<runtime::UserImage, uint64_t>> stand_for_;
};

}  // namespace dtrace::replay
