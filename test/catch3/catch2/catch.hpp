// SPDX-License-Identifier: Apache-2.0
// The one header of Catch2 2 for those who have Catch2 3: cmake/catch2.cmake puts this folder before others.
#pragma once

#include <catch2/catch_all.hpp>
