// SPDX-License-Identifier: Apache-2.0
// What libbpf says while it works: kept, not printed, so that an error can show the tail of the verifier's log.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace dtrace::runtime {

class BpfLog {
 public:
  /// Routes libbpf's messages of this thread here; those of threads that never call it go where they went before.
  /// `show_log`, if it is not empty, takes what the verifier says of programs that it takes.
  static void install(std::function<void(std::string_view)> show_log);
  /// The last lines since the previous take(); empty if libbpf said nothing.
  static std::string take();
};

}  // namespace dtrace::runtime
