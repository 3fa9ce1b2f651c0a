// SPDX-License-Identifier: Apache-2.0
// Digests in place of texts, so that a recording can be given away. Equal texts have equal digests within a run. The
// key of the digests is in no file, so that nobody can try words of a dictionary.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/redact_option.h"
#include "base/result.h"
#include "frontend/types/types.h"

namespace dtrace::recorder {

/// What a leaf reads, as far as its expression shows it.
enum class LeafContent : uint8_t { kAny, kPath, kCommandLine };
/// `identity`, `label`: of a RecordedLeaf.
LeafContent content_of(std::string_view identity, std::string_view label);

/// Are there characters in values of the type, other than of one text?
bool may_hide_texts(const TypeTable &types, TypeId type);

class Redaction {
 public:
  using Key = std::array<uint8_t, 32>;
  static constexpr size_t kDigestBytes = 13;  ///< '#' and 12 hexadecimal digits

  Redaction(RedactedKinds kinds, const Key &key) : kinds_(kinds), key_(key) {}
  /// With a key of its own. Errors: the system's.
  static Result<Redaction> make(RedactedKinds kinds);

  const RedactedKinds &kinds() const { return kinds_; }
  /// "paths,args", as the option has it.
  std::string names_of_kinds() const;

  /// A text that a leaf has read, in at most `max_bytes`. It is valid until the next call.
  std::string_view text(std::string_view text, LeafContent content, size_t max_bytes);

  // What the symbolizer says of user addresses:
  std::string file(std::string_view path);    ///< of a mapping; "[vdso]" and its like stay
  std::string module(std::string_view name);  ///< name of an image
  std::string symbol(std::string_view text);  ///< "module`function+0x1", "module+0x1", "module:0x1"
  std::string source(std::string_view text);  ///< "file:line"

 private:
  std::string digest(std::string_view text);
  /// By component, as long as it fits; then one digest of what is left.
  std::string path(std::string_view text, size_t max_bytes);
  /// A command line whose words with a slash are paths, likewise.
  std::string words(std::string_view text, size_t max_bytes);

  RedactedKinds kinds_;
  Key key_;
  std::string text_;  // text()'s
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::string, Hash, std::equal_to<>> known_;  // digests of the last texts
};

}  // namespace dtrace::recorder
