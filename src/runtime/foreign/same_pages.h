// SPDX-License-Identifier: Apache-2.0
// Whether two open files are one file to the kernel's page cache, and so to its uprobes, whatever stat(2) says. An
// overlay gives each of its files an identity of its own, but the kernel sets a uprobe in the file below, which other
// overlays may have as well: containers of one image.
#pragma once

#include <string>
#include <string_view>

namespace dtrace::runtime {

enum class SamePages { kNo, kYes, kUnknown };

/// Compares the physical page of their first bytes. kUnknown: the kernel does not show pages (without CAP_SYS_ADMIN).
SamePages compare_pages(int one, int other);

/// The same of files with different identities, which only an overlay makes one file: no page is read if neither is in
/// one, or they are not equally long.
SamePages have_same_pages(int one, int other);

/// What to say of two files of which it is unknown.
std::string may_be_one_file(std::string_view one, std::string_view other);

}  // namespace dtrace::runtime
