// SPDX-License-Identifier: Apache-2.0
// A program of fixtures/ with its debug information.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/debug_info/object_debug_info.h"
#include "test/unit/runtime/fixture_process.h"

namespace dtrace::runtime {

struct DebugInfoFixture {
  explicit DebugInfoFixture(const std::string &name, const DebugSources &sources = {}) {
    const auto file = std::make_shared<UserFile>();
    file->path = fixture_path(name);
    file->fd = Fd(open(file->path.c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE(file->fd);
    object = std::make_shared<UserObject>(file, file->path);
    Result<std::unique_ptr<ObjectDebugInfo>> opened = ObjectDebugInfo::open(object, getpid(), sources);
    INFO((opened ? "" : opened.error().text()));
    REQUIRE(opened);
    info = std::move(*opened);
  }
  UserFunction function(std::string_view name) {
    for (const UserFunction &function : object->functions())
      if (std::ranges::find(function.names, name) != function.names.end()) return function;
    FAIL("no function " << name);
    return {};
  }
  uint64_t address(std::string_view name) { return function(name).address; }

  std::shared_ptr<UserObject> object;
  std::unique_ptr<ObjectDebugInfo> info;
};

}  // namespace dtrace::runtime
