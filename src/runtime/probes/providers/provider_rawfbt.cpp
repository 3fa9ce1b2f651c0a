// SPDX-License-Identifier: Apache-2.0
// rawfbt:MODULE:FUNCTION:entry|return: the boundaries of kernel functions, see function_provider.h.
#include "runtime/probes/providers/function_provider.h"

namespace dtrace::runtime {

std::unique_ptr<Provider> make_rawfbt_provider(KernelInfo &kernel) {
  return std::make_unique<FunctionProvider>("rawfbt", /*is_raw=*/true, kernel);
}

}  // namespace dtrace::runtime
