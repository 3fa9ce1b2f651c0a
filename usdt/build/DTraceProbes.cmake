# SPDX-License-Identifier: Apache-2.0
# Probes of your own in a CMake project:
#
#     list(APPEND CMAKE_MODULE_PATH ".../share/dtrace/cmake")     # where this file is installed
#     include(DTraceProbes)
#     add_executable(server server.c)
#     dtrace_add_provider(server server_probes.d)
#
# and in server.c: #include "server_probes.h". Where there is no `dtrace`, the header has empty macros in it.
find_program(DTRACE_EXECUTABLE dtrace)
set(_DTRACE_PROBES_DIR ${CMAKE_CURRENT_LIST_DIR})

# dtrace_add_provider(TARGET FILE.d [CPP] [HEADER NAME.h])
#   Makes the header of FILE.d and puts its folder on the include path of TARGET. The header defines all that the program
#   needs, so nothing more is linked.
#   CPP     runs the C preprocessor over FILE.d first, with the target's include folders and definitions
#   HEADER  the header's name, if it is not FILE.h
function(dtrace_add_provider target file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "CPP" "HEADER" "")
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
    find_program(DTRACE_AWK_EXECUTABLE awk REQUIRED)
    add_custom_command(OUTPUT ${header}
      COMMAND ${DTRACE_AWK_EXECUTABLE} -f ${_DTRACE_PROBES_DIR}/empty_probes.awk ${source} > ${header}
      DEPENDS ${source} VERBATIM)
  endif()
  target_sources(${target} PRIVATE ${header})
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
