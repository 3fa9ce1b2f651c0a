# SPDX-License-Identifier: Apache-2.0
# How the command and libdtrace.so are linked, for their size and their start:
# - functions and data that nothing uses are left out: a fifth of what the archives of LLVM bring;
# - relative relocations are packed: 2.6 MB of records would be read at each start;
# - the initialisers of LLVM run when LLVM is first used (llvm_late.ld);
# - functions that a start runs, and whose neighbours it does not, stand together (start_order.ld).
# Each is left out where the linker does not have it.
include(CheckLinkerFlag)
check_linker_flag(CXX "-Wl,--gc-sections" DTRACE_HAVE_GC_SECTIONS)
# Not by lld's own name for it (--pack-dyn-relocs=relr): glibc's linker refuses such a program, which does not say that it needs
# a linker that knows of them.
check_linker_flag(CXX "-Wl,--fatal-warnings,-z,pack-relative-relocs" DTRACE_HAVE_PACKED_RELOCATIONS)
set(llvm_late "-Wl,-T,${CMAKE_CURRENT_LIST_DIR}/llvm_late.ld")
check_linker_flag(CXX "${llvm_late}" DTRACE_HAVE_LATE_LLVM)

set(start_order "${CMAKE_CURRENT_LIST_DIR}/start_order.ld")
option(DTRACE_START_ORDER "Put functions that a start runs together; off for scripts/start_order" ON)
check_linker_flag(CXX "-Wl,-T,${start_order}" DTRACE_HAVE_START_ORDER)

function(dtrace_lean_link target)
  # A hash of what it holds; the cache of compiled programs needs it.
  target_link_options(${target} PRIVATE -Wl,--build-id=sha1)
  if(DTRACE_SANITIZE)
    return()
  endif()
  if(DTRACE_HAVE_GC_SECTIONS)
    target_link_options(${target} PRIVATE -Wl,--gc-sections)
  endif()
  if(DTRACE_HAVE_PACKED_RELOCATIONS)
    target_link_options(${target} PRIVATE -Wl,-z,pack-relative-relocs)
  endif()
  if(DTRACE_START_ORDER AND DTRACE_HAVE_START_ORDER)
    target_link_options(${target} PRIVATE "-Wl,-T,${start_order}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${start_order}")
  endif()
  if(DTRACE_HAVE_LATE_LLVM)
    target_link_options(${target} PRIVATE ${llvm_late})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/llvm_late.ld)
  endif()
endfunction()
