// SPDX-License-Identifier: Apache-2.0
// Service and host names from the system's databases. May ask the network (%I): only programs that use it pay.
#pragma once

#include "runtime/print/printf.h"

namespace dtrace::runtime {

class SystemNames final : public NameLookup {
 public:
  std::string service(uint16_t port) override;
  std::string host(std::string_view address) override;
};

}  // namespace dtrace::runtime
