# SPDX-License-Identifier: Apache-2.0
# The rooms in the order of their ranks. Each is a static library that includes and links the rooms it names, all of
# which stand above it; test/style/rooms.py reads this list and fails if a source includes anything else.
#
# dtrace_room(FOLDER [FLAT] [ROOMS folder...] [PACKAGES package...] [LLVM component...])
# FOLDER: src/runtime/load becomes the target dt_runtime_load. A folder with a CMakeLists.txt makes its target itself.
# FLAT: without its subfolders.
# PACKAGES: those whose headers the room may include: llvm, demangle, bpf, cli11, elf, zlib, zstd, lzma, protozero.
# LLVM: the components that the room links.
function(dtrace_target folder variable)
  string(REGEX REPLACE "^src/" "" name ${folder})
  string(REPLACE "/" "_" name ${name})
  set(${variable} dt_${name} PARENT_SCOPE)
endfunction()

function(dtrace_room folder)
  cmake_parse_arguments(PARSE_ARGV 1 room "FLAT" "" "ROOMS;PACKAGES;LLVM")
  dtrace_target(${folder} target)
  if(EXISTS ${CMAKE_SOURCE_DIR}/${folder}/CMakeLists.txt)
    add_subdirectory(${folder})
  else()
    set(recurse _RECURSE)
    if(room_FLAT)
      set(recurse)
    endif()
    file(GLOB${recurse} sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    add_library(${target} STATIC ${sources})
  endif()
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR})
  if(DTRACE_SHARES_CCACHE)
    target_compile_options(${target} PRIVATE -fmacro-prefix-map=${CMAKE_SOURCE_DIR}=.)
  endif()
  foreach(other ${room_ROOMS})
    dtrace_target(${other} library)
    target_link_libraries(${target} PUBLIC ${library})
  endforeach()
  foreach(package ${room_PACKAGES})
    target_link_libraries(${target} PRIVATE package_${package})
  endforeach()
  if(room_LLVM)
    llvm_map_components_to_libnames(libraries ${room_LLVM})
    target_link_libraries(${target} PRIVATE ${libraries})
  endif()
endfunction()

# ---------------------------------------------------------------- packages
# Behind the compiler's own folders: LLVM's may have the headers of another C++ library, which libc++abi-dev puts there.
add_library(package_llvm_headers INTERFACE)
target_compile_options(package_llvm_headers INTERFACE "SHELL:-idirafter ${LLVM_INCLUDE_DIRS}")
add_library(package_llvm INTERFACE)
target_link_libraries(package_llvm INTERFACE package_llvm_headers)
separate_arguments(llvm_definitions NATIVE_COMMAND ${LLVM_DEFINITIONS})
target_compile_definitions(package_llvm INTERFACE ${llvm_definitions})
target_compile_options(package_llvm INTERFACE -fno-rtti)
if(DTRACE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # llvm::GlobalVariable brings its own operator new; GCC misses it when the sanitizers keep it from inlining.
  target_compile_options(package_llvm INTERFACE -Wno-mismatched-new-delete)
endif()
# Rust v0 names; the demangler needs nothing else of LLVM.
add_library(package_demangle INTERFACE)
target_link_libraries(package_demangle INTERFACE package_llvm_headers)
add_library(package_blake3 INTERFACE)  # LLVM has it, too
target_link_libraries(package_blake3 INTERFACE package_llvm_headers)
add_library(package_bpf INTERFACE)
target_link_libraries(package_bpf INTERFACE PkgConfig::LIBBPF)
add_library(package_elf INTERFACE)
target_link_libraries(package_elf INTERFACE PkgConfig::LIBELF PkgConfig::LIBDW)
add_library(package_cli11 INTERFACE)
target_link_libraries(package_cli11 INTERFACE CLI11::CLI11)
add_library(package_zlib INTERFACE)  # checksums of separate debug files, compressed profiles
target_link_libraries(package_zlib INTERFACE ZLIB::ZLIB)
add_library(package_zstd INTERFACE)  # recordings
target_link_libraries(package_zstd INTERFACE PkgConfig::LIBZSTD)
add_library(package_protozero INTERFACE)  # pprof's and Perfetto's formats, recordings
if(NOT PROTOZERO_INCLUDE_DIR STREQUAL "/usr/include")  # named, it would come before the compiler's own
  target_include_directories(package_protozero SYSTEM INTERFACE ${PROTOZERO_INCLUDE_DIR})
endif()
add_library(package_lzma INTERFACE)  # MiniDebugInfo, where liblzma is there
if(LibLZMA_FOUND)
  target_compile_definitions(package_lzma INTERFACE DTRACE_HAVE_LZMA)
  target_link_libraries(package_lzma INTERFACE LibLZMA::LibLZMA)
endif()

add_library(package_microhttpd INTERFACE)  # HTTP for those who scrape
add_library(package_curl INTERFACE)        # and to those who are pushed to
if(DTRACE_HAVE_EXPORTER)
  target_link_libraries(package_microhttpd INTERFACE PkgConfig::MICROHTTPD)
  target_link_libraries(package_curl INTERFACE PkgConfig::LIBCURL)
endif()

add_library(package_json INTERFACE)
target_link_libraries(package_json INTERFACE nlohmann_json::nlohmann_json)

# ---------------------------------------------------------------- ground
dtrace_room(bpf PACKAGES bpf)
dtrace_room(src/base)
target_link_libraries(dt_base PUBLIC fmt::fmt)
dtrace_room(src/arch PACKAGES llvm ROOMS src/base)
dtrace_room(src/digest PACKAGES blake3 LLVM support)
dtrace_room(src/recording ROOMS src/base PACKAGES zlib zstd protozero)

# ---------------------------------------------------------------- front end: text in, tree out
dtrace_room(src/frontend/text ROOMS src/base)
dtrace_room(src/frontend/types ROOMS src/base src/frontend/text)
dtrace_room(src/frontend/lang ROOMS src/base src/frontend/text src/frontend/types)
dtrace_room(src/frontend/syntax ROOMS src/base src/frontend/text src/frontend/types src/frontend/lang)
dtrace_room(src/frontend/tree ROOMS src/base src/frontend/text src/frontend/types src/frontend/lang)
dtrace_room(src/frontend/check
  ROOMS src/base src/frontend/text src/frontend/types src/frontend/lang src/frontend/syntax src/frontend/tree)

# ---------------------------------------------------------------- the contract, and static probes
dtrace_room(src/plan ROOMS bpf src/base src/frontend/text src/frontend/types src/frontend/lang)
dtrace_room(usdt ROOMS src/base src/frontend/text src/frontend/types src/frontend/lang src/plan)

# ---------------------------------------------------------------- code generator: tree in, BPF object out
dtrace_room(src/codegen/planning
  ROOMS bpf src/base src/arch src/frontend/text src/frontend/types src/frontend/lang src/frontend/tree src/plan)
dtrace_room(src/codegen/llvm
  ROOMS bpf src/base src/arch src/plan src/frontend/text src/codegen/planning
  PACKAGES llvm
  LLVM core support irreader bitreader linker passes ipo bpfcodegen bpfasmparser bpfdesc bpfinfo mc target analysis
    scalaropts instcombine transformutils)
dtrace_room(src/codegen/clause
  ROOMS bpf src/base src/arch src/frontend/types src/frontend/lang src/frontend/tree src/plan src/codegen/planning
    src/codegen/llvm
  PACKAGES llvm)
dtrace_room(src/codegen/subroutines
  ROOMS bpf src/base src/frontend/lang src/plan src/codegen/clause
  PACKAGES llvm)
dtrace_room(src/codegen FLAT
  ROOMS bpf src/base src/arch src/digest src/frontend/text src/frontend/types src/frontend/lang src/frontend/tree src/plan
    src/codegen/planning src/codegen/llvm src/codegen/clause src/codegen/subroutines
  PACKAGES llvm elf)

# ---------------------------------------------------------------- evaluator: tree in, values out, in user space
dtrace_room(src/evaluator
  ROOMS bpf src/base src/frontend/text src/frontend/types src/frontend/lang src/frontend/tree src/frontend/check src/plan
    src/codegen/planning)

# ---------------------------------------------------------------- tracer: load, attach, consume, print
dtrace_room(src/runtime/foreign ROOMS src/base usdt PACKAGES elf lzma zlib)
dtrace_room(src/runtime/unwind ROOMS bpf src/base src/arch usdt src/runtime/foreign)
dtrace_room(src/runtime/symbols
  ROOMS bpf src/base usdt src/runtime/foreign
  PACKAGES demangle elf
  LLVM demangle)
dtrace_room(src/runtime/kernel
  ROOMS bpf src/base src/arch src/frontend/text src/frontend/types src/frontend/lang src/plan src/runtime/symbols
  PACKAGES bpf elf)
dtrace_room(src/runtime/process
  ROOMS src/base src/arch src/frontend/syntax usdt src/runtime/foreign src/runtime/symbols src/runtime/kernel)
dtrace_room(src/runtime/attach ROOMS bpf src/base src/plan src/runtime/kernel PACKAGES bpf)
# Reads machine code, as the other rooms do through it.
dtrace_room(src/runtime/user
  ROOMS bpf src/base src/arch src/frontend/text src/plan usdt src/runtime/foreign src/runtime/unwind src/runtime/symbols
    src/runtime/attach
  PACKAGES bpf elf)
target_link_libraries(dt_runtime_user PUBLIC dt_arch_code)
dtrace_room(src/runtime/usdt
  ROOMS src/base src/frontend/types src/frontend/check src/plan usdt src/runtime/foreign src/runtime/symbols
    src/runtime/user
  PACKAGES elf zlib)
dtrace_room(src/runtime/debug_info
  ROOMS bpf src/base src/arch src/digest src/frontend/text src/frontend/types src/frontend/lang src/plan usdt src/runtime/foreign
    src/runtime/unwind src/runtime/symbols src/runtime/user src/runtime/usdt
  PACKAGES elf)
dtrace_room(src/runtime/probes
  ROOMS src/base src/arch src/frontend/text src/frontend/types src/frontend/lang src/plan usdt src/runtime/foreign
    src/runtime/symbols src/runtime/kernel src/runtime/process src/runtime/user src/runtime/usdt src/runtime/debug_info)
dtrace_room(src/runtime/load ROOMS bpf src/base src/plan src/runtime/symbols src/runtime/attach PACKAGES bpf)
dtrace_room(src/runtime/store ROOMS src/base src/digest src/plan)
dtrace_room(src/runtime/cgroups
  ROOMS bpf src/base src/frontend/lang src/plan
  PACKAGES bpf json)
dtrace_room(src/runtime/events ROOMS bpf src/base src/frontend/lang src/plan)
dtrace_room(src/runtime/print
  ROOMS src/base src/frontend/text src/frontend/types src/frontend/lang src/plan src/runtime/symbols src/runtime/events)
dtrace_room(src/runtime/output
  ROOMS src/base src/frontend/types src/frontend/lang src/plan src/runtime/symbols src/runtime/events src/runtime/print
  PACKAGES zlib protozero)
dtrace_room(src/runtime/live
  ROOMS src/base src/frontend/types src/frontend/lang src/plan src/runtime/symbols src/runtime/events src/runtime/print
    src/runtime/output)
dtrace_room(src/runtime/consume
  ROOMS bpf src/base src/frontend/types src/frontend/lang src/plan src/runtime/symbols src/runtime/process
    src/runtime/probes src/runtime/load src/runtime/cgroups src/runtime/events src/runtime/print
  PACKAGES bpf)
dtrace_room(src/runtime/metrics
  ROOMS bpf src/base src/frontend/types src/frontend/lang src/plan src/runtime/symbols src/runtime/load
    src/runtime/cgroups src/runtime/events src/runtime/print src/runtime/output src/runtime/consume)
dtrace_room(src/runtime/merge
  ROOMS src/base src/frontend/lang src/plan src/runtime/symbols src/runtime/events src/runtime/print
    src/runtime/consume
  PACKAGES json)
dtrace_room(src/runtime/late
  ROOMS bpf src/base src/arch src/plan src/runtime/foreign src/runtime/unwind src/runtime/attach src/runtime/user src/runtime/usdt src/runtime/probes
    src/runtime/load
  PACKAGES bpf)

# ---------------------------------------------------------------- recordings
dtrace_room(src/recorder
  ROOMS bpf src/base src/digest src/frontend/text src/frontend/types src/frontend/lang src/frontend/tree src/plan src/recording
    src/runtime/symbols src/runtime/cgroups src/runtime/events src/runtime/print src/runtime/output)

# ---------------------------------------------------------------- the library and the command
dtrace_room(src/tracer
  ROOMS src/base src/arch src/plan src/frontend/text src/frontend/types src/frontend/lang src/frontend/syntax
    src/frontend/check src/codegen src/runtime/foreign src/runtime/symbols src/runtime/kernel src/runtime/process
    src/runtime/user src/runtime/usdt src/runtime/debug_info src/runtime/probes src/runtime/load src/runtime/cgroups src/runtime/events
    src/runtime/print src/runtime/output src/runtime/consume src/runtime/metrics src/runtime/late src/runtime/store)
# Programs on recordings, without a kernel.
dtrace_room(src/replay
  ROOMS bpf src/base src/arch src/recording src/frontend/text src/frontend/types src/frontend/lang src/frontend/syntax
    src/frontend/tree src/frontend/check src/plan src/codegen/planning src/evaluator src/runtime/symbols src/runtime/kernel
    src/runtime/process src/runtime/probes src/runtime/cgroups src/runtime/events src/runtime/print src/runtime/output
    src/runtime/consume src/tracer)
dtrace_room(src/capi
  ROOMS bpf src/base src/arch src/plan src/frontend/text src/frontend/types src/frontend/lang src/frontend/syntax
    src/frontend/tree src/frontend/check src/codegen src/runtime/symbols src/runtime/kernel src/runtime/process
    src/runtime/probes src/runtime/load src/runtime/cgroups src/runtime/events src/runtime/print src/runtime/output
    src/runtime/consume src/runtime/late src/runtime/store src/tracer)
dtrace_room(src/build_tools ROOMS src/base usdt src/runtime/kernel src/runtime/process)
# A program of its own, without privileges: it includes nothing else of ours.
dtrace_room(src/exporter ROOMS src/base PACKAGES microhttpd curl)
# How the command starts that program.
dtrace_room(src/serving ROOMS src/base)
target_compile_definitions(dt_serving PRIVATE DTRACE_LIBEXEC_DIR="${CMAKE_INSTALL_LIBEXECDIR}/dtrace")
dtrace_room(src/command_line ROOMS src/base src/tracer PACKAGES cli11)
dtrace_room(src/main
  ROOMS src/base src/plan src/frontend/types src/frontend/syntax src/frontend/tree src/codegen src/recording src/recorder src/runtime/kernel src/runtime/load
    src/runtime/events src/runtime/print src/runtime/output src/runtime/live src/runtime/merge src/tracer src/replay src/build_tools
    src/serving src/command_line)

# LLVM's headers take most of the time of a compilation. None of ours is among them: a change to one would build all
# again. GCC must name the precompiled header in its preprocessed output, or ccache does not cache the file.
target_precompile_headers(dt_codegen_llvm PRIVATE <llvm/IR/DIBuilder.h> <llvm/IR/IRBuilder.h> <llvm/IR/Module.h>)
foreach(room dt_codegen_clause dt_codegen_subroutines)
  target_precompile_headers(${room} REUSE_FROM dt_codegen_llvm)
endforeach()
foreach(room dt_codegen_llvm dt_codegen_clause dt_codegen_subroutines)
  target_compile_options(${room} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endforeach()

# Compiled by themselves where several sources are compiled as one: another file of the room has a helper of the same name.
set_source_files_properties(
  src/frontend/syntax/parser_expr.cpp
  src/frontend/types/types_btf.cpp
  src/runtime/foreign/go_functions.cpp
  src/runtime/foreign/perf_map.cpp
  src/runtime/kernel/symbol_source.cpp
  src/runtime/metrics/text_writer.cpp
  src/runtime/probes/providers/function_provider.cpp
  src/runtime/probes/providers/provider_cpc.cpp
  src/runtime/probes/providers/provider_fsinfo.cpp
  src/runtime/probes/providers/provider_io.cpp
  src/runtime/probes/providers/provider_ip.cpp
  src/runtime/probes/providers/provider_lockstat.cpp
  src/runtime/probes/providers/provider_plockstat.cpp
  src/runtime/probes/providers/provider_mib.cpp
  src/runtime/probes/providers/provider_proc.cpp
  src/runtime/probes/providers/provider_sched.cpp
  src/runtime/probes/providers/provider_sdt.cpp
  src/runtime/probes/providers/provider_sysinfo.cpp
  src/runtime/probes/providers/provider_tcp.cpp
  src/runtime/probes/providers/provider_udp.cpp
  src/runtime/probes/providers/provider_vminfo.cpp
  src/runtime/foreign/split_base.cpp
  src/runtime/symbols/kallsyms.cpp
  src/runtime/unwind/frame_program.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# For tests: a whole wing each.
add_library(dt_frontend INTERFACE)
target_link_libraries(dt_frontend INTERFACE dt_frontend_check)
add_library(dt_runtime INTERFACE)
target_link_libraries(dt_runtime INTERFACE dt_runtime_unwind dt_runtime_store dt_runtime_consume dt_runtime_late dt_runtime_output
  dt_runtime_live dt_runtime_metrics dt_runtime_merge)

# All of it compiled, nothing linked.
add_custom_target(rooms DEPENDS dt_main)
