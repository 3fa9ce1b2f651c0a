// SPDX-License-Identifier: Apache-2.0
// Whether two open files are one file to the kernel's page cache, and so to its uprobes, whatever stat(2) says: files
// of two overlays that have the same file below.
#pragma once

namespace dtrace::runtime {

/// Compares the physical page of their first bytes; false if the kernel does not tell (without CAP_SYS_ADMIN).
bool have_same_pages(int one, int other);

}  // namespace dtrace::runtime
