// SPDX-License-Identifier: Apache-2.0
// The BPF run-time library as bitcode, embedded at build time: the code generator links from it what a program uses.
// And programs of their own, compiled.
#pragma once

#include <cstddef>
#include <span>

namespace dtrace {

/// LLVM bitcode of bpf/*.bpf.c; lives as long as the process.
std::span<const std::byte> bpf_library();
/// An ELF file, of bpf/programs/linker_wait.c.
std::span<const std::byte> linker_wait_object();
/// An ELF file, of bpf/programs/cgroup_watch.c.
std::span<const std::byte> cgroup_watch_object();
/// An ELF file, of bpf/programs/family_watch.c.
std::span<const std::byte> family_watch_object();
/// An ELF file, of bpf/programs/file_users.c.
std::span<const std::byte> file_users_object();
/// An ELF file, of bpf/programs/enabled_test.c.
std::span<const std::byte> enabled_test_object();
/// An ELF file, of bpf/programs/unwind.c: dt_unwind(), to be linked to an object that calls it.
std::span<const std::byte> unwind_object();
/// The same from bpf/programs/unwind_native.c: it knows no managed frames.
std::span<const std::byte> unwind_native_object();

}  // namespace dtrace
