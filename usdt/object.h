// SPDX-License-Identifier: Apache-2.0
// The object of `dtrace -G`: semaphores and provider notes, the same that headers of `dtrace -h` carry, so it may be
// linked any number of times or not at all. It holds code only where objects call probes in the manner of Solaris.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "usdt/object_scan.h"
#include "usdt/provider.h"
#include "usdt/target.h"

namespace dtrace::usdt {

struct ObjectRequest {
  const std::vector<Provider> *providers = nullptr;
  Target target;
  const std::vector<StubName> *names = nullptr;  ///< stub_names() of the providers
  std::set<std::string, std::less<>> calls;      ///< symbols that the program's objects call
};

/// Out:     the bytes of a relocatable ELF file: the same for the same request, always.
/// Errors:  calls on a machine that we have no stubs for; more probes than the format counts.
Result<std::string> object_file(const ObjectRequest &request);

}  // namespace dtrace::usdt
