// SPDX-License-Identifier: Apache-2.0
// Interrupts: the first SIGINT or SIGTERM asks for an orderly end, the second abandons output.
#pragma once

#include <atomic>

#include "base/owned.h"

namespace dtrace {

class Interrupts {
 public:
  /// Installs the handlers, except for signals that were inherited as ignored.
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

  int count() const;
  /// Readable from the first interrupt on.
  int fd() const { return event_.get(); }
  /// Set once a second interrupt came.
  const std::atomic<bool> *abandon() const;

 private:
  Fd event_;
};

}  // namespace dtrace
