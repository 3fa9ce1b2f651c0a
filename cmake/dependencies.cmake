# SPDX-License-Identifier: Apache-2.0
# Every dependency is a package. LLVM is linked statically: its shared library costs 20-30 ms of relocation a start.
find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBBPF REQUIRED IMPORTED_TARGET libbpf>=1.3)
# The command alone may hold its libbpf, for packages of systems whose own is older; Debian's archive is not compiled for
# shared objects, so libdtrace.so always loads the system's.
option(DTRACE_STATIC_LIBBPF "Link libbpf into the command statically" OFF)
if(DTRACE_STATIC_LIBBPF)
  find_library(LIBBPF_ARCHIVE libbpf.a REQUIRED HINTS ${LIBBPF_LIBDIR})
  set(in_command $<STREQUAL:$<TARGET_PROPERTY:NAME>,dtrace>)
  set_property(TARGET PkgConfig::LIBBPF PROPERTY
    INTERFACE_LINK_LIBRARIES $<IF:${in_command},${LIBBPF_ARCHIVE},${LIBBPF_LINK_LIBRARIES}>)
endif()
pkg_check_modules(LIBELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(LIBDW REQUIRED IMPORTED_TARGET libdw)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19/lib/cmake/llvm)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
find_program(CLANG_EXECUTABLE NAMES clang-19 clang REQUIRED HINTS ${LLVM_TOOLS_BINARY_DIR})
find_package(ZLIB REQUIRED)
pkg_check_modules(LIBZSTD REQUIRED IMPORTED_TARGET libzstd)
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_writer.hpp REQUIRED)  # headers alone
find_package(LibLZMA)
# For dtrace-exporter (--serve, --otlp); without them it is not built, and these options say so.
set(DTRACE_HAVE_EXPORTER OFF)
if(NOT DTRACE_FUZZ)
  pkg_check_modules(MICROHTTPD IMPORTED_TARGET libmicrohttpd>=0.9.71)
  pkg_check_modules(LIBCURL IMPORTED_TARGET libcurl>=7.85)
  if(MICROHTTPD_FOUND AND LIBCURL_FOUND)
    set(DTRACE_HAVE_EXPORTER ON)
  endif()
endif()
