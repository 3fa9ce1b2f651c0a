// SPDX-License-Identifier: Apache-2.0
// D libraries: indexed at start by a scan of declared names (no parse), parsed and checked on demand, file by file. A
// file whose declarations do not fit the running kernel harms only a program that uses them, with file, line and
// reason.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/text/diag.h"
#include "frontend/text/source.h"

namespace dtrace {

struct LibraryFile {
  std::string path;
  std::string text;
  bool is_asked = false;  ///< of a directory that the user named: its syntax is checked in any case
};

/// What `#pragma D depends_on module M` and `provider P` ask; a file that asks for what is not there is left out
/// silently.
struct LibraryEnvironment {
  std::function<bool(std::string_view)> has_module;
  std::function<bool(std::string_view)> has_provider;
};

/// A definition that two files could give differently: its name ("psinfo_t", "translator psinfo_t < struct task_struct
/// *") and a hash of its tokens.
struct LibraryDefinition {
  std::string name;
  uint64_t hash = 0;
};

/// What cannot be in a library and would hide what follows: a probe clause, or a declaration without its `;`. It is an
/// error whether or not a program uses the file, since no name leads to it.
struct LibraryMistake {
  Tag tag;
  uint32_t offset, length;
  std::string text;
};

/// What one library file declares, by the scan.
struct LibraryNames {
  std::vector<std::string> names;               ///< types, tags, inlines, enumerators, variables
  std::vector<std::string> types;               ///< of these, names of typedefs
  std::vector<std::string> translator_outputs;  ///< "psinfo_t", "struct dtpsinfo"
  std::vector<std::string> classes;             ///< patterns of those that translators give members to, canonical
  std::vector<std::string> defined_providers;   ///< provider NAME {...}
  std::vector<std::string> libraries;           ///< depends_on library
  std::vector<std::string> modules, providers;  ///< depends_on module, provider
  std::vector<LibraryDefinition> definitions;   ///< types, inlines and translators
  std::optional<LibraryMistake> mistake;        ///< the first
};
LibraryNames scan_library(std::string_view text);

class LibraryIndex {
 public:
  /// `directories` in search order. Texts are added to `sources` when claimed.
  /// Errors: a cycle of depends_on within a directory, as D_PRAGMA_DEPEND; the mistakes of files.
  static std::unique_ptr<LibraryIndex> create(std::vector<std::vector<LibraryFile>> directories,
                                              const LibraryEnvironment &environment, Sources &sources,
                                              Diagnostics &diags);

  /// The first file, in search order, that declares `name`.
  std::optional<uint32_t> file_of(std::string_view name) const;
  /// Does any file define a type of that name? It is not loaded for that: the parser asks this of most identifiers.
  bool has_type(std::string_view name) const { return types_.contains(name); }
  /// Files that hold a translator to `output_type` ("psinfo_t", "struct dtpsinfo").
  std::vector<uint32_t> translators_to(std::string_view output_type) const;
  /// Files that hold a translator for the class of a user program ("std::vector<int>").
  std::vector<uint32_t> translators_of_class(std::string_view class_name) const;
  /// The last file, in search order, that defines provider `name`; nullptr: none. The last, so that those of -L come
  /// before the system's.
  const LibraryFile *file_of_provider(std::string_view name) const;
  /// Two files that define `name` differently, as a message; empty: none. A translator's name is "translator OUTPUT".
  std::string conflict(std::string_view name) const;
  /// A library that `file` depends on and that no directory has; empty: none.
  std::string missing_library(uint32_t file) const;
  const std::string &path(uint32_t file) const { return entries_[file].file.path; }
  /// Files whose syntax is to be checked in any case. Definitions of probes (dtrace -h) have a reader of their own.
  std::vector<uint32_t> asked() const;
  const LibraryFile &file(uint32_t file) const { return entries_[file].file; }
  /// Adds the file's text to the sources and marks it loaded; nothing if it was claimed before.
  std::optional<uint32_t> claim(uint32_t file);

 private:
  explicit LibraryIndex(Sources &sources) : sources_(sources) {}

  struct Entry {
    LibraryFile file;
    LibraryNames names;
    bool claimed = false;
  };
  Sources &sources_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, uint32_t> by_name_;
  std::set<std::string, std::less<>> types_;
  struct Conflict {
    std::string name;
    uint32_t first, second;
  };
  std::vector<Conflict> conflicts_;
};

}  // namespace dtrace
