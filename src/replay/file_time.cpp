// SPDX-License-Identifier: Apache-2.0
#include "replay/file_time.h"

#include <cstdlib>

#include "replay/row_leaves.h"

namespace dtrace::replay {
namespace {

uint64_t number_in(const std::string &text) { return std::strtoull(text.c_str(), nullptr, 10); }

}  // namespace

FileTime::FileTime(const recording::Reader &recording) : now_ns_(recording.first_ns().value_or(0)) {
  has_wall_ = is_told_by_rows(recording, Variable::k_walltimestamp);
  if (has_wall_)
    wall_offset_ns_ = number_in(*recording.fact(kRealtimeFact)) - number_in(*recording.fact(kMonotonicFact));
}

}  // namespace dtrace::replay
