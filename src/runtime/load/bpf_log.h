// SPDX-License-Identifier: Apache-2.0
// What libbpf says while it works: kept, not printed, so that an error can show the tail of the verifier's log.
#pragma once

#include <string>

namespace dtrace {

class BpfLog {
 public:
  /// Routes libbpf's messages of this thread here. Idempotent. `show_logs`: what the verifier says of programs that it
  /// takes goes to standard error.
  static void install(bool show_logs);
  /// The last lines since the previous take(); empty if libbpf said nothing.
  static std::string take();
};

}  // namespace dtrace
