// SPDX-License-Identifier: Apache-2.0
// The walk over a recording's blocks, from head to head. It decodes definitions, and notes where rows are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "recording/definitions.h"
#include "recording/format.h"
#include "recording/packing.h"
#include "recording/reader.h"

namespace dtrace::recording {

/// A block of rows in the file.
struct IndexEntry {
  uint64_t offset = 0;
  uint64_t first_ns = 0;
  uint64_t reached_ns = 0;  ///< the greatest time of this block and of those before it, of the CPU
  uint32_t nr_rows = 0;
  uint32_t packed_bytes = 0;
};

struct Contents {
  Definitions definitions;
  std::map<uint32_t, std::vector<IndexEntry>> rows;  // by CPU, in the order of the file
  uint64_t nr_rows = 0;
  std::optional<uint64_t> first_ns, last_ns;
  std::string cut;  // a sentence; empty: the recording is whole
};

/// Errors: it is no recording; of a newer version; damaged, with the offset.
Result<Contents> walk(Bytes &bytes, Unpacker &unpacker);

/// Reads the block at `offset`, whose payload has `packed_bytes`. The head is checked again: the file may have changed.
/// Errors: the system's; it is damaged.
Result<BlockHead> read_block(Bytes &bytes, Unpacker &unpacker, uint64_t offset, uint32_t packed_bytes,
                             std::string &packed, std::string &payload);

}  // namespace dtrace::recording
