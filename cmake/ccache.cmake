# SPDX-License-Identifier: Apache-2.0
# Compiles through ccache when it is there; a launcher given on the command line wins.
find_program(CCACHE_EXECUTABLE ccache)
if(CCACHE_EXECUTABLE)
  foreach(language C CXX)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      # Without this sloppiness ccache refuses every file that is compiled with a precompiled header.
      set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                              ${CCACHE_EXECUTABLE})
    endif()
  endforeach()
endif()
