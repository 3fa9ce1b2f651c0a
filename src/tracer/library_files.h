// SPDX-License-Identifier: Apache-2.0
// Where D libraries lie.
#pragma once

#include <string>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "frontend/check/library.h"

namespace dtrace::tracer {

/// The files of D libraries in search order: the system's (option syslibdir, else this installation's), then those of
/// option libdir; none with option nolibs.
struct LibraryDirectories {
  std::vector<std::vector<LibraryFile>> files;
  std::vector<std::string> problems;  ///< directories that cannot be read
};
LibraryDirectories library_directories(const Options &options);

}  // namespace dtrace::tracer
