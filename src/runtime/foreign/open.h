// SPDX-License-Identifier: Apache-2.0
// Opens files whose paths a traced process chose.
//
// What a reader would get wrong: a check of the path before the open says nothing about the file that is opened, and
// O_NOFOLLOW protects the last component only. So the kernel resolves each path inside the root of its process
// (openat2(2)), and gives a descriptor that is not open for reading yet. Only when that is a regular file is the file
// opened: to open a device can have effects, and to open a FIFO can wait for ever.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace::runtime {

/// The root of the file system as the process sees it, for open_in_root(). Errors: it has ended, or may not
/// be looked into.
Result<Fd> root_of(pid_t pid);

enum class LastLink : bool { kFollow, kRefuse };

/// Opens the regular file `path` for reading. `path` and each symbolic link are resolved below `root`, as if the
/// process had opened it; links of /proc that lead elsewhere are refused. Errors: "PATH: cause".
Result<Fd> open_in_root(const Fd &root, const std::string &path, LastLink last_link = LastLink::kFollow);

/// Opens the regular file behind a link of /proc that the kernel made (map_files, exe), or below a folder of ours.
/// Errors: "`name`: cause".
Result<Fd> open_regular(const std::string &path, const std::string &name);

/// Are both the same file?
bool is_same_file(int one, int other);

}  // namespace dtrace::runtime
