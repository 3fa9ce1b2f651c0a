// SPDX-License-Identifier: Apache-2.0
// sdt:SUBSYSTEM::EVENT: every kernel tracepoint, see tracepoint_provider.h.
#include "runtime/probes/providers/tracepoint_provider.h"

namespace dtrace::runtime {

std::unique_ptr<Provider> make_sdt_provider(KernelInfo &kernel) {
  return std::make_unique<TracepointProvider>("sdt", kernel);
}

}  // namespace dtrace::runtime
