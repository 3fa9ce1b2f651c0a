// SPDX-License-Identifier: Apache-2.0
// Where a stripped program's debug information has been put.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/owned.h"
#include "plan/hook.h"
#include "runtime/foreign/dwarf_image.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

/// In:   a program, and a process that executes it. Out: the separate debug file of this very build, open: that which
/// the program's build ID names in /usr/lib/debug, of this system or of the process's root, else that which
/// .gnu_debuglink names, beside the program, in .debug there, or in the same folder below /usr/lib/debug, all in the
/// process's root. Nothing: there is none, or it is larger than limits::kMaxChecksummedBytes and has no build ID.
Fd open_debug_file(const usdt::ElfFile &elf, const UserFile &file, pid_t pid);

/// Where a program's file lies: `path` in the root of a process that executes it.
struct FilePlace {
  pid_t pid = 0;  ///< 0: nobody's
  std::string path;
};

/// The file that several debug files share: found by its build ID, below /usr/lib/debug/.dwz, or where its name leads
/// from the program's folder in the root of the process. Nothing: there is none of that build ID.
Fd open_shared_debug_file(const SharedDebugFile &shared, const FilePlace &program);

}  // namespace dtrace::runtime
