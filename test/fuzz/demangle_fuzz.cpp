// SPDX-License-Identifier: Apache-2.0
// Any bytes as the name of a function: demangled within bounds, and printable.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/printable.h"
#include "runtime/symbols/demangle.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace dtrace;
  using namespace dtrace::runtime;
  constexpr size_t kMaxBytes = 4 << 20;
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  for (const std::string_view lead : {"", "_Z", "_R"}) {
    const std::string name = std::string(lead).append(bytes.substr(0, bytes.find('\0')));
    if (demangle(name).size() > kMaxBytes) std::abort();
    const std::string shown = printable(name);
    if (!is_printable(shown) || printable(shown) != shown) std::abort();
    if (is_printable(name) && shown != name) std::abort();
  }
  return 0;
}
