// SPDX-License-Identifier: Apache-2.0
// What -B writes in place of each piece of text: the piece itself and where it comes from, by the names of the fields
// that a consumer with a handler for buffered output receives. A help for testing.
// Source: command reference, sections 3 and 27.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frontend/lang/probe.h"
#include "runtime/print/pieces.h"

namespace dtrace::runtime {

/// Where a piece of text comes from.
struct BufferedSource {
  const Probe *probe = nullptr;  ///< null: no probe's doing
  int cpu = 0;
  std::string_view action;  ///< name; empty: what stands around the data of a row
  uint32_t size_bytes = 0;  ///< of the action's data in the record
  uint32_t off_bytes = 0;
};

std::string buffered_text(std::string_view text, const Piece &piece, const BufferedSource &source);

}  // namespace dtrace::runtime
