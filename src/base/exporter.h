// SPDX-License-Identifier: Apache-2.0
// The exporter's process as its starter offers it to the tracer, which notices first when it has ended.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace {

class Exporter {
 public:
  virtual ~Exporter() = default;

  virtual pid_t pid() const = 0;
  /// The socket to it, which becomes the caller's.
  virtual Fd take_control() = 0;
  /// Ends it if it has not ended, and waits for that, so that no zombie is left. How it ended: "exited with status 1".
  virtual std::string end() = 0;
  /// Starts it again; it listens where it did. Errors: the system's.
  virtual Result<Unit> start_again() = 0;
  /// It is not started again: clients are refused.
  virtual void stop_listening() = 0;
};

}  // namespace dtrace
