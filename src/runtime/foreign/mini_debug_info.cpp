// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/mini_debug_info.h"

#ifdef DTRACE_HAVE_LZMA
#include <lzma.h>

#include <algorithm>

#include "base/foreign_limits.h"
#endif

namespace dtrace::runtime {

#ifdef DTRACE_HAVE_LZMA

Result<std::string> unpack_xz(std::span<const std::byte> packed) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, limits::kMaxDecoderBytes, 0) != LZMA_OK)
    return Error("xz: cannot start the decoder");

  std::string out;
  stream.next_in = reinterpret_cast<const uint8_t *>(packed.data());
  stream.avail_in = packed.size();
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK && out.size() < limits::kMaxUnpackedBytes) {
    const size_t used = out.size();
    out.resize(std::min<size_t>(limits::kMaxUnpackedBytes, std::max<size_t>(64u << 10, used * 2)));
    stream.next_out = reinterpret_cast<uint8_t *>(out.data()) + used;
    stream.avail_out = out.size() - used;
    status = lzma_code(&stream, LZMA_FINISH);
    out.resize(out.size() - stream.avail_out);
  }
  lzma_end(&stream);
  if (status == LZMA_OK) return Error("xz: unpacked data is too large");
  if (status != LZMA_STREAM_END) return Error("xz: damaged data");
  return out;
}

#else

Result<std::string> unpack_xz(std::span<const std::byte>) { return Error("xz: built without liblzma"); }

#endif

}  // namespace dtrace::runtime
