// SPDX-License-Identifier: Apache-2.0
// While a live screen has the terminal, whatever would be written there is kept in a file without a name: what the
// program prints, messages, and what commands of -c and system() write. The last lines of it are shown on the screen,
// and all of it follows when the screen has gone.
//
// What a reader would get wrong: descriptors are replaced, not streams, so that commands that we start are kept, too.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace::command {

class KeptStreams {
 public:
  KeptStreams() = default;
  KeptStreams(const KeptStreams &) = delete;
  KeptStreams &operator=(const KeptStreams &) = delete;
  ~KeptStreams();

  /// From here on standard output, standard error and standard input are kept from the terminal, where they are one.
  /// Errors: no file for what is kept.
  Result<Unit> begin();
  /// They are what they were, and get what was kept; called again, what commands have written to the file since then.
  /// Errors: it could not be read or written.
  Result<Unit> end();
  bool is_kept() const { return static_cast<bool>(file_); }

  /// The last lines of what was kept, at most `most`, printable.
  std::vector<std::string> last_lines(size_t most) const;

 private:
  struct Stream {
    int fd = -1;
    Fd original;
  };
  Result<Unit> copy();

  Fd file_;
  off_t copied_ = 0;
  int target_ = 2;
  std::vector<Stream> streams_;
};

}  // namespace dtrace::command
