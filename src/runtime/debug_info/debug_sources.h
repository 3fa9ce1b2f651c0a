// SPDX-License-Identifier: Apache-2.0
// Where debug information comes from, beside the files of this system.
#pragma once

#include <cstddef>
#include <functional>

#include "plan/object_store.h"
#include "runtime/foreign/debug_fetch.h"

namespace dtrace::runtime {

struct DebugSources {
  /// Fetches debug files that this system lacks; null: they are not fetched.
  DebugFetch *fetch = nullptr;
  /// Gives the store that keeps decompressed sections and indexes of names between runs; null, or gives null: they are
  /// not kept.
  std::function<ObjectStore *()> images;
  /// The names of files with less debug information are not kept: they are found faster than a file is read.
  size_t min_indexed_bytes = 1 << 20;
};

}  // namespace dtrace::runtime
