# SPDX-License-Identifier: Apache-2.0
# Probes of your own in a CMake project:
#
#     find_package(DTrace)
#     add_executable(server server.c)
#     dtrace_add_provider(server server_probes.d)
#
# and in server.c: #include "server_probes.h". Where there is no `dtrace`, its macros are empty, with a warning. Instead of
# find_package(), a project that carries this file and empty_probes.awk may say include(DTraceProbes), and then builds
# also where DTrace is not installed.
#
# DTRACE_EXECUTABLE names the command; empty, the project is built without probes and without the warning.

# The command of the same installation first, then any: share/dtrace/cmake is three folders below the prefix.
find_program(DTRACE_EXECUTABLE dtrace HINTS ${CMAKE_CURRENT_LIST_DIR}/../../../bin)
set(_DTRACE_PROBES_DIR ${CMAKE_CURRENT_LIST_DIR})

# dtrace_add_provider(TARGET FILE.d [CPP] [HEADER NAME.h])
#   Makes the header of FILE.d and puts its folder on the include path of TARGET. The header defines all that the program
#   needs, so nothing more is linked. An INTERFACE library passes the header on to the targets that link it.
#   CPP     runs the C preprocessor over FILE.d first, with the target's include folders and definitions
#   HEADER  the header's name, if it is not FILE.h
function(dtrace_add_provider target file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "CPP" "HEADER" "")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "dtrace_add_provider(${target} ${file}): there is no target ${target}. "
      "Write add_executable(${target} ...) or add_library(${target} ...) before it.")
  endif()
  get_filename_component(source ${file} ABSOLUTE)
  get_filename_component(name ${file} NAME_WE)
  if(NOT arg_HEADER)
    set(arg_HEADER ${name}.h)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/dtrace-${target})
  set(header ${folder}/${arg_HEADER})
  file(MAKE_DIRECTORY ${folder})
  # Lists within generator expressions: they stay whole only between quotes, and empty ones vanish from the command.
  set(cpp "")
  set(include_options "")
  set(definition_options "")
  if(arg_CPP)
    set(cpp -C)
    set(includes $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
    set(include_options "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>")
    set(definition_options "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>")
  endif()
  if(DTRACE_EXECUTABLE)
    add_custom_command(OUTPUT ${header}
      COMMAND ${DTRACE_EXECUTABLE} ${cpp} "${include_options}" "${definition_options}" -h -s ${source} -o ${header}
      DEPENDS ${source} VERBATIM COMMAND_EXPAND_LISTS)
  else()
    if(NOT DTRACE_EXECUTABLE STREQUAL "")
      message(WARNING "dtrace was not found: the probes of ${file} are empty macros. Set DTRACE_EXECUTABLE to the "
        "command, or to nothing to build without probes.")
    endif()
    find_program(DTRACE_AWK_EXECUTABLE awk REQUIRED)
    add_custom_command(OUTPUT ${header}
      COMMAND ${DTRACE_AWK_EXECUTABLE} -f ${_DTRACE_PROBES_DIR}/empty_probes.awk ${source} > ${header}
      DEPENDS ${source} VERBATIM)
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY)
    # Targets in other folders know no rule for the header, but wait for what the library depends on.
    string(MAKE_C_IDENTIFIER "dtrace-${target}-${arg_HEADER}" rule)
    add_custom_target(${rule} DEPENDS ${header})
    add_dependencies(${target} ${rule})
    target_include_directories(${target} INTERFACE ${folder})
  else()
    target_sources(${target} PRIVATE ${header})
    target_include_directories(${target} PRIVATE ${folder})
  endif()
endfunction()
