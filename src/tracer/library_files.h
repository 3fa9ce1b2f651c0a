// SPDX-License-Identifier: Apache-2.0
// Where D libraries lie.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "frontend/check/library.h"

namespace dtrace::tracer {

/// The machine that libraries are for, as far as it is not this one.
struct LibraryMachine {
  std::string_view name;  ///< as arch::Machine's; empty: this machine
  long page_bytes = 0;    ///< 0: this machine's
};

/// The files of D libraries in search order: the system's (option syslibdir, else this installation's), then those of
/// option libdir; none with option nolibs.
struct LibraryDirectories {
  std::vector<std::vector<LibraryFile>> files;
  std::vector<std::string> problems;  ///< directories that cannot be read
};
LibraryDirectories library_directories(const Options &options, const LibraryMachine &machine = {});

}  // namespace dtrace::tracer
