// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "frontend/text/type_name.h"

namespace dtrace {
namespace {

/// Tokens of one declaration at file scope, and how deep in brackets each stands.
struct ScanToken {
  std::string_view text;
  int depth;
};

// Those of <cctype> are calls, a quarter of the time that a scan takes.
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }
bool is_identifier(std::string_view text) { return !text.empty() && is_letter(text[0]); }

/// Splits a library into declarations; control lines go to `on_control`.
class Scanner {
 public:
  Scanner(std::string_view text, LibraryNames &out) : text_(text), out_(out) {}

  void run() {
    while (at_ < text_.size()) step();
    if (tokens_.empty()) return;
    if (is_closed_) return end_of_closed();
    // What ends with a brace may be a function of C, in a file for `dtrace -h`.
    if (tokens_.back().text != "}") mistake(Tag::D_SYNTAX, tokens_.back(), "';' expected at the end of the library");
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      line_start_ = true;
      ++at_;
    } else if (is_space(c)) {
      ++at_;
    } else if (c == '#' && line_start_) {
      control_line();
    } else if (c == '/' && text_.substr(at_).starts_with("/*")) {
      skip_to("*/");
    } else if (c == '/' && text_.substr(at_).starts_with("//")) {
      skip_to("\n");
      line_start_ = true;
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else {
      line_start_ = false;
      token();
    }
  }

  void skip_to(std::string_view end) {
    const size_t found = text_.find(end, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  void quoted(char quote) {
    const size_t begin = at_ + 1;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_)
      if (text_[at_] == '\\') ++at_;
    const bool in_head = depth_ == 0 && !tokens_.empty() && tokens_[0].text == "translator";
    if (in_head) out_.classes.push_back(canonical_type_name(text_.substr(begin, std::min(at_, text_.size()) - begin)));
    at_ = std::min(at_ + 1, text_.size());
  }

  void control_line() {
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end;
    std::vector<std::string_view> words;
    for (size_t i = 0; i < line.size();) {
      while (i < line.size() && is_space(line[i])) ++i;
      size_t begin = i;
      while (i < line.size() && !is_space(line[i])) ++i;
      if (i > begin) words.push_back(line.substr(begin, i - begin));
    }
    if (words.size() < 5 || words[0] != "pragma" || words[1] != "D" || words[2] != "depends_on") return;
    if (words[3] == "library") out_.libraries.emplace_back(words[4]);
    if (words[3] == "module") out_.modules.emplace_back(words[4]);
    if (words[3] == "provider") out_.providers.emplace_back(words[4]);
  }

  void token() {
    const size_t begin = at_;
    if (is_word(text_[at_])) {
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    } else {
      ++at_;
    }
    std::string_view text = text_.substr(begin, at_ - begin);
    const char c = text[0];
    if (is_closed_ && c != ';') end_of_closed();
    if (c == '}' || c == ')' || c == ']') --depth_;
    if (c == ';' && depth_ == 0) {
      declaration();
      tokens_.clear();
      is_closed_ = false;
      return;
    }
    tokens_.push_back({text, depth_});
    if (c == '}' && depth_ == 0) closed();
    if (c == '{' || c == '(' || c == '[') ++depth_;
  }

  /// After the `}` of something at file scope.
  void closed() {
    const std::string_view first = tokens_[0].text;
    is_closed_ = first == "provider" || first == "translator";
    if (is_closed_ || !is_clause()) return;
    mistake(Tag::D_PRAGMA_SCOPE, tokens_[0], "D library may not contain probe clauses");
    tokens_.clear();
  }

  /// A provider or a translator has no `;`.
  void end_of_closed() {
    mistake(Tag::D_SYNTAX, tokens_.back(), fmt::format("';' expected after a {}", tokens_[0].text));
    declaration();
    tokens_.clear();
    is_closed_ = false;
  }

  /// Is it no type and no function of C, whose parameters stand before the brace?
  bool is_clause() const {
    for (const ScanToken &token : tokens_) {
      if (token.depth != 0) continue;
      if (token.text == "struct" || token.text == "union" || token.text == "enum" || token.text == "extern")
        return false;
      if (token.text == ":" || token.text == "/" || token.text == "{") return true;
      if (token.text == "(") return false;
    }
    return false;
  }

  void mistake(Tag tag, const ScanToken &token, std::string text) {
    if (out_.mistake) return;
    const auto offset = static_cast<uint32_t>(token.text.data() - text_.data());
    out_.mistake = LibraryMistake{tag, offset, static_cast<uint32_t>(token.text.size()), std::move(text)};
  }

  void declaration() {
    if (tokens_.empty()) return;
    const std::string_view first = tokens_[0].text;
    if (first == "translator") return translator();
    if (first == "provider") {
      if (tokens_.size() > 1 && is_identifier(tokens_[1].text)) out_.defined_providers.emplace_back(tokens_[1].text);
      return;
    }
    const size_t known = out_.names.size();
    tags_and_enumerators();
    is_typedef_ = first == "typedef";
    declared_name(first == "inline" ? "=[" : ",[");
    if (is_definition()) {
      const uint64_t hash = hash_of_tokens();
      for (size_t i = known; i < out_.names.size(); ++i) out_.definitions.push_back({out_.names[i], hash});
    }
  }

  /// "struct x;" may stand in several files beside the definition.
  bool is_definition() const { return tokens_.size() > 2; }

  uint64_t hash_of_tokens() const {
    uint64_t hash = 0;
    for (const ScanToken &token : tokens_) hash = hash * 0x9e3779b97f4a7c15 + std::hash<std::string_view>{}(token.text);
    return hash;
  }

  std::string joined(size_t begin, size_t end) const {
    std::string out;
    for (size_t i = begin; i < end; ++i) {
      if (!out.empty()) out += ' ';
      out += tokens_[i].text;
    }
    return out;
  }

  void translator() {
    for (size_t i = 1; i < tokens_.size(); ++i)
      if (tokens_[i].text == "<") {
        if (i == 1) return;  // of classes
        out_.translator_outputs.push_back(joined(1, i));
        size_t end = i;
        while (end < tokens_.size() && tokens_[end].text != ">") ++end;
        // The last word before '>' names the input, which is each file's own affair.
        if (end > i + 1) out_.definitions.push_back({"translator " + joined(1, end - 1), hash_of_tokens()});
        return;
      }
  }

  void tags_and_enumerators() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view word = tokens_[i].text;
      if (word != "struct" && word != "union" && word != "enum") continue;
      size_t next = i + 1;
      if (next < tokens_.size() && is_identifier(tokens_[next].text)) {
        if (next + 1 < tokens_.size() && tokens_[next + 1].text == "{") out_.names.emplace_back(tokens_[next].text);
        ++next;
      }
      if (word != "enum" || next >= tokens_.size() || tokens_[next].text != "{") continue;
      const int inside = tokens_[next].depth + 1;
      bool expect = true;
      for (++next; next < tokens_.size() && tokens_[next].text != "}"; ++next) {
        if (tokens_[next].depth != inside) continue;
        if (expect && is_identifier(tokens_[next].text)) out_.names.emplace_back(tokens_[next].text);
        expect = tokens_[next].text == ",";
      }
    }
  }

  /// Identifiers that declarators introduce: the last one before a terminator at depth 0, or that of "(*name)".
  void declared_name(std::string_view terminators) {
    std::string_view last;
    bool is_function_pointer = false;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const ScanToken &token = tokens_[i];
      if (token.depth == 0 && terminators.find(token.text[0]) != std::string_view::npos) {
        add_name(last);
        last = {};
        is_function_pointer = false;
        if (token.text != ",") return;
        continue;
      }
      if (!is_identifier(token.text)) continue;
      const bool starred = i >= 2 && tokens_[i - 1].text == "*" && tokens_[i - 2].text == "(" && token.depth == 1;
      if (starred || (token.depth == 0 && !is_function_pointer)) last = token.text;
      is_function_pointer |= starred;
    }
    add_name(last);
  }

  void add_name(std::string_view name) {
    if (!name.empty() && is_typedef_) out_.types.emplace_back(name);
    if (!name.empty() && std::find(out_.names.begin(), out_.names.end(), name) == out_.names.end())
      out_.names.emplace_back(name);
  }

  std::string_view text_;
  LibraryNames &out_;
  size_t at_ = 0;
  int depth_ = 0;
  bool line_start_ = true;
  bool is_typedef_ = false;  // the declaration at hand
  bool is_closed_ = false;   // it is a provider or translator that lacks its `;` only
  std::vector<ScanToken> tokens_;
};

std::string_view base_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// Finds a cycle of depends_on by depth-first search; on-demand loading needs no order, but a cycle is an error all the
/// same.
class CycleFinder {
 public:
  explicit CycleFinder(const std::vector<std::pair<std::string_view, const LibraryNames *>> &files)
      : files_(files), state_(files.size()) {}

  std::optional<size_t> find() {
    for (size_t i = 0; i < files_.size(); ++i)
      if (visit(i)) return i;
    return std::nullopt;
  }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone };
  bool visit(size_t file) {
    if (state_[file] != State::kNew) return state_[file] == State::kOpen;
    state_[file] = State::kOpen;
    for (const std::string &wanted : files_[file].second->libraries)
      for (size_t other = 0; other < files_.size(); ++other)
        if (files_[other].first == wanted && visit(other)) return true;
    state_[file] = State::kDone;
    return false;
  }

  const std::vector<std::pair<std::string_view, const LibraryNames *>> &files_;
  std::vector<State> state_;
};

bool wanted(const LibraryNames &names, const LibraryEnvironment &environment) {
  auto all = [](const std::vector<std::string> &list, const std::function<bool(std::string_view)> &has) {
    return !has || std::all_of(list.begin(), list.end(), [&](const std::string &name) { return has(name); });
  };
  return all(names.modules, environment.has_module) && all(names.providers, environment.has_provider);
}

}  // namespace

LibraryNames scan_library(std::string_view text) {
  LibraryNames names;
  Scanner(text, names).run();
  return names;
}

std::unique_ptr<LibraryIndex> LibraryIndex::create(std::vector<std::vector<LibraryFile>> directories,
                                                   const LibraryEnvironment &environment, Sources &sources,
                                                   Diagnostics &diags) {
  std::unique_ptr<LibraryIndex> index(new LibraryIndex(sources));
  for (std::vector<LibraryFile> &directory : directories) {
    const size_t first = index->entries_.size();
    for (LibraryFile &file : directory) {
      LibraryNames names = scan_library(file.text);
      if (wanted(names, environment)) index->entries_.push_back({std::move(file), std::move(names)});
    }
    std::vector<std::pair<std::string_view, const LibraryNames *>> files;
    for (size_t i = first; i < index->entries_.size(); ++i)
      files.emplace_back(base_name(index->entries_[i].file.path), &index->entries_[i].names);
    if (std::optional<size_t> cycle = CycleFinder(files).find()) {
      Entry &entry = index->entries_[first + *cycle];
      const uint32_t source = sources.add(entry.file.path, entry.file.text, SourceKind::kLibrary);
      diags.report(Tag::D_PRAGMA_DEPEND, Span{source, 0, 0}, "cyclic library dependency");
    }
    for (size_t i = first; i < index->entries_.size(); ++i) {
      const Entry &entry = index->entries_[i];
      if (!entry.names.mistake) continue;
      const LibraryMistake &seen = *entry.names.mistake;
      const uint32_t source = sources.add(entry.file.path, entry.file.text, SourceKind::kLibrary);
      diags.add(seen.tag, Span{source, seen.offset, seen.offset + seen.length}, seen.text);
    }
  }
  for (uint32_t i = 0; i < index->entries_.size(); ++i) {
    const LibraryNames &names = index->entries_[i].names;
    for (const std::string &name : names.names) index->by_name_.try_emplace(name, i);
    index->types_.insert(names.types.begin(), names.types.end());
  }
  std::unordered_map<std::string_view, std::pair<uint64_t, uint32_t>> defined;  // hash, file
  for (uint32_t i = 0; i < index->entries_.size(); ++i) {
    // The definitions of probes (dtrace -h) have types of the program, or placeholders for the library's.
    if (!index->entries_[i].names.defined_providers.empty()) continue;
    for (const LibraryDefinition &definition : index->entries_[i].names.definitions) {
      const auto [known, is_new] = defined.try_emplace(definition.name, definition.hash, i);
      if (!is_new && known->second.first != definition.hash && known->second.second != i)
        index->conflicts_.push_back({definition.name, known->second.second, i});
    }
  }
  return index;
}

std::optional<uint32_t> LibraryIndex::file_of(std::string_view name) const {
  auto found = by_name_.find(std::string(name));
  return found != by_name_.end() ? std::optional(found->second) : std::nullopt;
}

std::vector<uint32_t> LibraryIndex::translators_of_class(std::string_view class_name) const {
  std::vector<uint32_t> files;
  for (uint32_t i = 0; i < entries_.size(); ++i)
    if (std::ranges::any_of(entries_[i].names.classes,
                            [&](const std::string &pattern) { return type_name_matches(pattern, class_name); }))
      files.push_back(i);
  return files;
}

std::vector<uint32_t> LibraryIndex::translators_to(std::string_view output_type) const {
  std::vector<uint32_t> files;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    const std::vector<std::string> &outputs = entries_[i].names.translator_outputs;
    if (std::find(outputs.begin(), outputs.end(), output_type) != outputs.end()) files.push_back(i);
  }
  return files;
}

std::vector<uint32_t> LibraryIndex::asked() const {
  std::vector<uint32_t> files;
  for (uint32_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].file.is_asked && entries_[i].names.defined_providers.empty()) files.push_back(i);
  return files;
}

const LibraryFile *LibraryIndex::file_of_provider(std::string_view name) const {
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    const std::vector<std::string> &defined = entry->names.defined_providers;
    if (std::find(defined.begin(), defined.end(), name) != defined.end()) return &entry->file;
  }
  return nullptr;
}

std::string LibraryIndex::conflict(std::string_view name) const {
  for (const Conflict &conflict : conflicts_) {
    const std::string_view seen = conflict.name;
    const bool is_it = seen == name || (seen.starts_with(name) && seen.substr(name.size()).starts_with(" <"));
    if (is_it)
      return fmt::format("{} and {} define {}{} differently: remove one of them", entries_[conflict.first].file.path,
                         entries_[conflict.second].file.path, seen, seen.find(" < ") != seen.npos ? " >" : "");
  }
  return {};
}

std::string LibraryIndex::missing_library(uint32_t file) const {
  for (const std::string &wanted : entries_[file].names.libraries) {
    const bool is_there = std::any_of(entries_.begin(), entries_.end(),
                                      [&](const Entry &entry) { return base_name(entry.file.path) == wanted; });
    if (!is_there) return wanted;
  }
  return {};
}

std::optional<uint32_t> LibraryIndex::claim(uint32_t file) {
  Entry &entry = entries_[file];
  if (std::exchange(entry.claimed, true)) return std::nullopt;
  return sources_.add(entry.file.path, entry.file.text, SourceKind::kLibrary);
}

}  // namespace dtrace
