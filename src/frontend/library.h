// SPDX-License-Identifier: Apache-2.0
// D libraries: indexed at start by a scan of declared names (no parse), parsed and checked on demand, file by file. A file
// whose declarations do not fit the running kernel harms only a program that uses them, with file, line and reason.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check.h"

namespace dtrace {

struct LibraryFile {
  std::string path;
  std::string text;
};

class LibraryIndex {
 public:
  /// Files in load order of their directories (cli-and-options.md 28); `depends_on library` orders within a directory.
  /// Errors (cyclic dependencies, ...) go to `diags`.
  static std::unique_ptr<LibraryIndex> create(std::vector<std::vector<LibraryFile>> directories, Sources &sources, Diagnostics &diags);
  virtual ~LibraryIndex() = default;

  /// Index (into an opaque list) of the file that declares a type, inline, enumerator or variable `name`.
  virtual std::optional<uint32_t> file_of(std::string_view name) const = 0;
  /// Files that hold a translator to output type `output_type` ("struct psinfo", "psinfo_t").
  virtual std::vector<uint32_t> translators_to(std::string_view output_type) const = 0;
  /// Source id of a file's text and whether it was already loaded; marks it loaded.
  virtual std::optional<uint32_t> claim(uint32_t file) = 0;
};

}  // namespace dtrace
