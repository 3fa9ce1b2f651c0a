// SPDX-License-Identifier: Apache-2.0
// Blocks: a payload is compressed behind its head, and comes back as it was or not at all.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "recording/format.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace dtrace::recording {

class Packer {
 public:
  Packer();
  ~Packer();
  /// A block: the head, with sizes and checksum filled in, and the payload. Valid until the next call. Errors: memory.
  Result<std::string_view> pack(BlockHead head, std::string_view payload);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s *context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  std::string block_;
};

class Unpacker {
 public:
  Unpacker();
  ~Unpacker();
  /// The payload whose compressed bytes are `packed`, into `raw`. The head's sizes have been found acceptable.
  /// Errors: it is damaged, or coded in a way that this reader does not know.
  Result<Unit> unpack(const BlockHead &head, std::string_view packed, std::string &raw);

 private:
  struct Free {
    void operator()(ZSTD_DCtx_s *context) const;
  };
  std::unique_ptr<ZSTD_DCtx_s, Free> context_;
};

}  // namespace dtrace::recording
