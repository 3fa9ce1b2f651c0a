// SPDX-License-Identifier: Apache-2.0
// Where call stubs are called from. An object made for Solaris calls a function for each probe, which `dtrace -G` makes
// as a stub with one site for all; its calls are what the probe's author meant by sites, each in a function of its own.
#pragma once

#include <memory>

#include "plan/hook.h"
#include "usdt/elf_file.h"
#include "usdt/notes.h"

namespace dtrace::runtime {

/// Replaces each site in a stub by the calls of the stub, with the arguments' locations as they are there. A stub
/// of which none is found, or more than some thousands, or one that is no instruction by the symbols there are, or
/// depends on a condition, stays a site; all do if some of the file's code cannot be read.
void replace_stubs(usdt::FileNotes &notes, usdt::Machine machine, const std::shared_ptr<const UserFile> &file);

}  // namespace dtrace::runtime
