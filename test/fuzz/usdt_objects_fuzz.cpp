// SPDX-License-Identifier: Apache-2.0
// Any bytes as an input of `dtrace -G`: an object, an archive, or neither.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "usdt/object_scan.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace dtrace::usdt;
  static const std::vector<Provider> kProviders = [] {
    Provider provider;
    provider.name = "shop";
    provider.probes.resize(2);
    provider.probes[0].name = "sale";
    provider.probes[1].name = "sale__done";
    return std::vector<Provider>{provider};
  }();
  static const std::vector<StubName> kNames = stub_names(kProviders);
  (void)scan_object(std::string_view(reinterpret_cast<const char *>(data), size), kNames);
  return 0;
}
