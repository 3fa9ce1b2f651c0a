// SPDX-License-Identifier: Apache-2.0
// Diagnostics: what is wrong with a D program. Collected in order; the command prints those that do not follow from
// each other, each with its source line. Under -xerrtags it prints the first only, with its tag, as other DTraces do.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/text/source.h"

namespace dtrace {

/// One enumerator per row of diag.def. Scripts and tests match the names, so they are never renamed.
enum class Tag : uint16_t {
#define DIAG(name) name,
#include "frontend/text/diag.def"
};

/// "D_SYNTAX" for Tag::D_SYNTAX.
std::string_view tag_name(Tag tag);
/// The tag of that name; `otherwise` if there is none.
Tag tag_of(std::string_view name, Tag otherwise);

/// Which part of a clause was being checked; shown instead of a line for command-line programs.
enum class Region : uint8_t { kNone, kPredicate, kActions };

struct Diagnostic {
  Tag tag;
  Span span;
  Region region = Region::kNone;
  std::string message;  ///< may hold newlines followed by a tab for detail lines
  bool warning = false;
  struct Note {
    Span span;
    std::string message;
  };
  std::vector<Note> notes;
};

class Diagnostics {
 public:
  /// Adds an error; the returned reference takes notes and is valid until the next report.
  template <typename... Args>
  Diagnostic &report(Tag tag, Span span, fmt::format_string<Args...> format, Args &&...args) {
    return add(tag, span, fmt::format(format, std::forward<Args>(args)...));
  }
  Diagnostic &add(Tag tag, Span span, std::string message) {
    return add(Diagnostic{tag, span, region_, std::move(message), false, {}});
  }
  Diagnostic &add(Diagnostic error) { return list_.emplace_back(std::move(error)); }

  /// Adds to the last error what may have been meant: `meant`, else `nearest`, nothing if both are empty.
  void suggest(std::string_view meant, std::string_view nearest = {}) {
    if (meant.empty()) meant = nearest;
    if (!meant.empty()) advise(fmt::format("did you mean {}?", meant));
  }
  /// Adds a line to the last error, without a position in the source.
  void advise(std::string text) {
    if (text.empty() || list_.empty()) return;
    constexpr uint32_t kNowhere = UINT32_MAX;
    list_.back().notes.push_back({{kNowhere, 0, 0}, std::move(text)});
  }
  /// May the last error be shown, so that it is worth looking for a suggestion?
  bool shows_last() const { return list_.size() <= kMaxShown; }
  /// The last error; of a list that is not empty.
  Diagnostic &last() { return list_.back(); }

  /// Adds what does not keep the program from running but may make it say what is not so. Said once.
  template <typename... Args>
  void warn(Tag tag, Span span, fmt::format_string<Args...> format, Args &&...args) {
    std::string message = fmt::format(format, std::forward<Args>(args)...);
    for (const Diagnostic &known : warnings_)
      if (known.tag == tag && known.message == message) return;
    warnings_.push_back(Diagnostic{tag, span, region_, std::move(message), true, {}});
  }

  /// Without errors.
  bool ok() const { return list_.empty(); }
  const std::vector<Diagnostic> &warnings() const { return warnings_; }
  const std::vector<Diagnostic> &list() const { return list_; }
  /// The errors to print: one per tag and position, because a clause is checked once per probe description.
  std::vector<const Diagnostic *> independent() const;
  void set_region(Region region) { region_ = region; }
  Region region() const { return region_; }
  void clear() {
    list_.clear();
    warnings_.clear();
  }
  /// Drops everything reported after the list had `size` entries: for trial checks (identifier or type, order of
  /// inference).
  void truncate(size_t size) { list_.resize(size, Diagnostic{}); }
  /// Drops, of what was reported after the list had `size` entries, what `follows` says is a consequence.
  template <typename Predicate>
  void drop_if(size_t size, Predicate follows) {
    list_.erase(std::remove_if(list_.begin() + static_cast<ptrdiff_t>(size), list_.end(), follows), list_.end());
  }

  static constexpr size_t kMaxShown = 10;

 private:
  std::vector<Diagnostic> list_;
  std::vector<Diagnostic> warnings_;
  Region region_ = Region::kNone;
};

struct RenderOptions {
  bool tags = false;   ///< -xerrtags: prefix "[D_TAG] "
  bool human = false;  ///< append the source line, an underline and the notes
};

/// "[D_TAG] line 4: message" (and the underlined line): everything after "failed to compile script X: ".
std::string render(const Diagnostic &diagnostic, const Sources &sources, const RenderOptions &options);

}  // namespace dtrace
