// SPDX-License-Identifier: Apache-2.0
// Carries the bitcode and the programs: the assembler includes them as bytes, so that no compiler parses them.
#include "bpf/library.h"

#define DT_EMBED(name, file)            \
  asm(".section .rodata." #name         \
      ",\"a\",@progbits\n"              \
      ".balign 16\n"                    \
      ".global " #name "_begin\n" #name \
      "_begin:\n"                       \
      ".incbin \"" file                 \
      "\"\n"                            \
      ".global " #name "_end\n" #name   \
      "_end:\n"                         \
      ".byte 0\n"                       \
      ".previous\n");                   \
  extern "C" const std::byte name##_begin[], name##_end[]

DT_EMBED(dt_bpf_library, DT_BPF_LIBRARY_FILE);
DT_EMBED(dt_linker_wait, DT_LINKER_WAIT_FILE);
DT_EMBED(dt_cgroup_watch, DT_CGROUP_WATCH_FILE);
DT_EMBED(dt_family_watch, DT_FAMILY_WATCH_FILE);
DT_EMBED(dt_file_users, DT_FILE_USERS_FILE);
DT_EMBED(dt_enabled_test, DT_ENABLED_TEST_FILE);
DT_EMBED(dt_unwind_program, DT_UNWIND_FILE);
DT_EMBED(dt_unwind_native_program, DT_UNWIND_NATIVE_FILE);

namespace dtrace {

std::span<const std::byte> bpf_library() { return {dt_bpf_library_begin, dt_bpf_library_end}; }
std::span<const std::byte> linker_wait_object() { return {dt_linker_wait_begin, dt_linker_wait_end}; }
std::span<const std::byte> cgroup_watch_object() { return {dt_cgroup_watch_begin, dt_cgroup_watch_end}; }
std::span<const std::byte> family_watch_object() { return {dt_family_watch_begin, dt_family_watch_end}; }
std::span<const std::byte> file_users_object() { return {dt_file_users_begin, dt_file_users_end}; }
std::span<const std::byte> enabled_test_object() { return {dt_enabled_test_begin, dt_enabled_test_end}; }
std::span<const std::byte> unwind_object() { return {dt_unwind_program_begin, dt_unwind_program_end}; }
std::span<const std::byte> unwind_native_object() {
  return {dt_unwind_native_program_begin, dt_unwind_native_program_end};
}

}  // namespace dtrace
