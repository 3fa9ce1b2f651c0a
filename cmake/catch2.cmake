# SPDX-License-Identifier: Apache-2.0
# Catch2 of version 2 or 3, as the target `catch2`. Tests are written for both: text_matchers.h has what differs.
find_package(Catch2 REQUIRED)
add_library(catch2 INTERFACE)
target_link_libraries(catch2 INTERFACE Catch2::Catch2)
if(Catch2_VERSION VERSION_GREATER_EQUAL 3)
  target_include_directories(catch2 INTERFACE ${CMAKE_SOURCE_DIR}/test/catch3)
endif()
