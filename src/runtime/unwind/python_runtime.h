// SPDX-License-Identifier: Apache-2.0
// What programs must know of CPython in a file to follow its frames (bpf/dt_python.h): where its state is, and how the
// structures of its version lie in memory.
#pragma once

#include <cstdint>
#include <optional>

#include "bpf/dt_python.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

/// Nothing: the file has no CPython that is known. `first_address`: the file's own, that pages are counted from.
std::optional<dt_python> python_runtime(const usdt::ByteSource &source, const usdt::ElfFile &elf,
                                        uint64_t first_address);

}  // namespace dtrace::runtime
