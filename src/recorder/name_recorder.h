// SPDX-License-Identifier: Apache-2.0
// Keeps the names of the addresses that rows have, each once, while those can tell them who know: processes end.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "plan/plan.h"
#include "recorder/redaction.h"
#include "recording/writer.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::recorder {

class NameRecorder {
 public:
  /// `redaction`: null, nothing is redacted.
  NameRecorder(runtime::Symbolizer &symbolizer, recording::Writer &writer, Redaction *redaction)
      : symbolizer_(symbolizer), writer_(writer), redaction_(redaction) {}

  /// Another file begins, which has no names yet.
  void begin_file() {
    known_.clear();
    processes_.clear();
  }

  void kernel_address(uint64_t address);
  /// `is_return`: Symbolizer::user_frames()'s.
  void user_frame(runtime::UserImage image, uint64_t address, bool is_return);
  void user_address(runtime::UserImage image, uint64_t address);
  /// The processes among them that run no more.
  std::vector<pid_t> ended() const;

 private:
  /// False: its names are in the file.
  bool is_new(uint32_t kind, const runtime::UserImage &image, uint64_t address);
  std::string shown(std::string text, std::string (Redaction::*redact)(std::string_view)) const;
  void mapping(const runtime::UserImage &image, uint64_t address);

  struct Key {
    uint64_t address;
    uint64_t process;  // pid and image
    uint32_t kind;
    bool operator==(const Key &) const = default;
  };
  struct HashKey {
    size_t operator()(const Key &key) const {
      return std::hash<uint64_t>()(key.address * 0x9e3779b97f4a7c15 ^ key.process * 31 ^ key.kind);
    }
  };
  runtime::Symbolizer &symbolizer_;
  recording::Writer &writer_;
  Redaction *const redaction_;
  std::unordered_set<Key, HashKey> known_;
  std::set<pid_t> processes_;
};

}  // namespace dtrace::recorder
