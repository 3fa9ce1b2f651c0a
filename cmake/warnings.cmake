# SPDX-License-Identifier: Apache-2.0
# In the presets warnings are errors. The sanitizers are a property of the whole build.
add_compile_options(-Wall -Wextra)
# GCC 12 sees overlapping copies in std::string::replace and operator+ where there are none (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
# If several sources are compiled as one, GCC takes each for a header, whose classes must not have members of types that only one source
# knows; and it inlines so much more that GCC 12 sees uninitialised values in moved variants where there are none.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage> $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()
# A later compiler may warn of what is right, and must not end the build of somebody who has it.
if(DTRACE_WERROR)
  if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15) OR
     (CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 20))
    add_compile_options(-Werror)
  else()
    message(STATUS "Warnings are not errors: nobody has built this with ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} yet")
  endif()
endif()
if(DTRACE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # The sanitizers' own branches make GCC 12 see uninitialised values that are none.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()
if(DTRACE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "DTRACE_FUZZ needs clang: use the preset `fuzz`")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # libbpf's option structs are meant to be filled in part; libstdc++ 12's stable_sort uses what C++17 deprecates.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-designated-field-initializers> -Wno-deprecated-declarations)
endif()
