# SPDX-License-Identifier: Apache-2.0
# Compiles through ccache when it is there; a launcher given on the command line wins. Clones in different folders share what is compiled:
# ccache makes paths below the source folder relative, and the compiler leaves that folder out of debug information, and out of the
# assertions of rooms. Elsewhere __FILE__ is absolute where ccache cannot change it: the unit tests find their files by it. Messages of
# UndefinedBehaviorSanitizer name the clone that compiled the file.
#
# Two kinds of builds keep absolute paths and share nothing. Packages map paths by themselves, and must be the same without ccache. In the
# preset `debug` debuggers find the sources from any folder. Clang's precompiled headers are not shared either: it is given their paths in
# arguments that ccache leaves alone.
find_program(CCACHE_EXECUTABLE ccache)
if(CCACHE_EXECUTABLE)
  # Without this sloppiness ccache refuses every file that is compiled with a precompiled header.
  set(settings CCACHE_SLOPPINESS=pch_defines,time_macros)
  set(DTRACE_SHARES_CCACHE ON)
  if("${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-prefix-map=" OR (CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT DTRACE_SANITIZE))
    set(DTRACE_SHARES_CCACHE OFF)
  endif()
  foreach(language C CXX)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      if(DTRACE_SHARES_CCACHE)
        list(APPEND settings CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1)
        add_compile_options($<$<COMPILE_LANGUAGE:${language}>:-fdebug-prefix-map=${CMAKE_SOURCE_DIR}=.>)
      endif()
      set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env ${settings} ${CCACHE_EXECUTABLE})
    endif()
  endforeach()
endif()
