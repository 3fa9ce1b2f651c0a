// SPDX-License-Identifier: Apache-2.0
#include "recorder/redaction.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>

#include "digest/digest.h"

namespace dtrace::recorder {
namespace {

constexpr size_t kMaxKnown = 16 << 10;
constexpr size_t kAnySize = SIZE_MAX;

/// Does the text have one of the words, and no letter beside it?
template <size_t N>
bool has_word(std::string_view text, const std::string_view (&words)[N]) {
  const auto is_of_name = [&](size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  return std::ranges::any_of(words, [&](std::string_view word) {
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
      if ((at == 0 || !is_of_name(at - 1)) && !is_of_name(at + word.size())) return true;
    return false;
  });
}

bool begins_as_path(std::string_view text) {
  return text.starts_with('/') || text.starts_with("./") || text.starts_with("../");
}

/// Where the offset behind the name of a module begins.
size_t end_of_module(std::string_view text) {
  if (const size_t mark = text.find('`'); mark != std::string_view::npos) return mark;
  const size_t plus = text.rfind("+0x"), colon = text.rfind(":0x");
  if (plus != std::string_view::npos) return plus;
  return colon != std::string_view::npos ? colon : text.size();
}

bool has_characters(const TypeTable &types, TypeId type) {
  const Type &known = types.resolved(type);
  if (known.is_char || types.is_string(type)) return true;
  if (types.is_array(type)) return has_characters(types, known.target);
  if (!types.is_struct_or_union(type)) return false;
  return std::ranges::any_of(types.members(types.resolve(type)),
                             [&](const Member &member) { return has_characters(types, member.type); });
}

}  // namespace

LeafContent content_of(std::string_view identity, std::string_view label) {
  static constexpr std::string_view kCommandLines[] = {"pr_psargs", "execargs", "arg_start", "env_start"};
  static constexpr std::string_view kPaths[] = {"fi_pathname",  "fi_name", "fi_dirname", "fi_mount",
                                                "dev_pathname", "cwd",     "root",       "d_path"};
  if (has_word(identity, kCommandLines) || has_word(label, kCommandLines)) return LeafContent::kCommandLine;
  if (has_word(identity, kPaths) || has_word(label, kPaths)) return LeafContent::kPath;
  return LeafContent::kAny;
}

bool may_hide_texts(const TypeTable &types, TypeId type) {
  const bool is_text = types.is_char_array(type) && types.name(types.resolved(type).target) == "char";
  return !is_text && (types.is_array(type) || types.is_struct_or_union(type)) && has_characters(types, type);
}

Result<Redaction> Redaction::make(RedactedKinds kinds) {
  Key key{};
  if (getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size()))
    return Error::from_errno("getrandom", errno);
  return Redaction(kinds, key);
}

std::string Redaction::names_of_kinds() const {
  std::string names;
  const auto add = [&](bool wanted, std::string_view name) {
    if (!wanted) return;
    if (!names.empty()) names += ',';
    names += name;
  };
  add(kinds_.paths, "paths");
  add(kinds_.args, "args");
  add(kinds_.strings, "strings");
  return names;
}

std::string Redaction::digest(std::string_view text) {
  if (const auto known = known_.find(text); known != known_.end()) return known->second;
  Digest digest;
  digest.bytes(key_.data(), key_.size());
  digest.text(text);
  const DigestBytes bytes = digest.finish();
  std::string shown = "#";
  for (size_t i = 0; shown.size() < kDigestBytes; ++i) shown += fmt::format("{:02x}", bytes[i]);
  if (known_.size() >= kMaxKnown) known_.clear();
  known_.emplace(text, shown);
  return shown;
}

std::string Redaction::path(std::string_view text, size_t max_bytes) {
  std::string shown;
  while (!text.empty()) {
    const size_t slash = text.find('/');
    const bool is_last = slash == std::string_view::npos;
    const std::string_view part = text.substr(0, slash);
    const bool stays = part.empty() || part == "." || part == "..";
    const std::string piece = stays ? std::string(part) : digest(part);
    if (shown.size() + piece.size() + (is_last ? 0 : 1 + kDigestBytes) > max_bytes)
      return (shown + digest(text)).substr(0, max_bytes);
    shown += piece;
    if (is_last) break;
    shown += '/';
    text.remove_prefix(slash + 1);
  }
  return shown;
}

std::string Redaction::words(std::string_view text, size_t max_bytes) {
  std::string shown;
  while (true) {
    const size_t blank = text.find(' ');
    const bool is_last = blank == std::string_view::npos;
    const std::string_view word = text.substr(0, blank);
    const std::string piece = word.find('/') == std::string_view::npos ? std::string(word) : path(word, max_bytes);
    if (shown.size() + piece.size() + (is_last ? 0 : 1 + kDigestBytes) > max_bytes)
      return (shown + digest(text)).substr(0, max_bytes);
    shown += piece;
    if (is_last) return shown;
    shown += ' ';
    text.remove_prefix(blank + 1);
  }
}

std::string_view Redaction::text(std::string_view text, LeafContent content, size_t max_bytes) {
  if (text.empty()) return text;
  if (kinds_.args && content == LeafContent::kCommandLine)
    text_ = digest(text).substr(0, max_bytes);
  else if (kinds_.paths && !kinds_.strings && content == LeafContent::kCommandLine)
    text_ = words(text, max_bytes);
  else if (kinds_.paths && content != LeafContent::kCommandLine &&
           (content == LeafContent::kPath || begins_as_path(text)))
    text_ = path(text, max_bytes);
  else if (kinds_.strings)
    text_ = digest(text).substr(0, max_bytes);
  else
    return text;
  return text_;
}

std::string Redaction::file(std::string_view path) {
  if (!kinds_.paths || path.starts_with('[')) return std::string(path);
  return this->path(path, kAnySize);
}

std::string Redaction::module(std::string_view name) {
  if (!kinds_.paths || name.empty() || name.starts_with('[') || name.starts_with("0x")) return std::string(name);
  return begins_as_path(name) ? path(name, kAnySize) : digest(name);
}

std::string Redaction::symbol(std::string_view text) {
  const size_t end = end_of_module(text);
  return module(text.substr(0, end)) + std::string(text.substr(end));
}

std::string Redaction::source(std::string_view text) {
  if (!kinds_.paths || text.empty()) return std::string(text);
  const size_t end = text.find_last_not_of("0123456789");
  const bool has_line = end != std::string_view::npos && text[end] == ':';
  const size_t size = has_line ? end : text.size();
  return path(text.substr(0, size), kAnySize) + std::string(text.substr(size));
}

}  // namespace dtrace::recorder
