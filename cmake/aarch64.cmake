# SPDX-License-Identifier: Apache-2.0
# Compiles, but does not link, for aarch64: its C and C++ headers come from Debian's cross packages, all other headers
# are this machine's, which are the same for both.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET aarch64-linux-gnu)
endforeach()
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
# zconf.h
set(CMAKE_CXX_FLAGS_INIT "-idirafter /usr/include/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu")
# Packages are looked for among this machine's own.
set(host_libraries /usr/lib/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu)
list(APPEND CMAKE_PREFIX_PATH ${host_libraries}/cmake)
list(APPEND CMAKE_LIBRARY_PATH ${host_libraries})
