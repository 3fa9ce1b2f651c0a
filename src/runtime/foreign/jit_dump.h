// SPDX-License-Identifier: Apache-2.0
// jit-PID.dump: what JIT compilers (LLVM, V8 --perf-prof, PHP) write of the code that they make, as `perf inject` reads
// it. A process maps the file executable, so that others find it.
//
// What a reader would get wrong: the file grows while the program runs, and its last record may be unfinished.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace dtrace::runtime {

/// Is a mapped file of that path such a dump?
bool is_jit_dump(std::string_view path);

class JitDump {
 public:
  /// `loaded` for code that was made: start, bytes, name. `moved` for code that was copied: from, to, bytes.
  struct Events {
    std::function<void(uint64_t start, uint64_t size_bytes, std::string_view name)> loaded;
    std::function<void(uint64_t from, uint64_t to, uint64_t size_bytes)> moved;
  };

  /// Reads the records that are whole and were not read before.
  void read_on(int fd, uint64_t file_bytes, const Events &events);

 private:
  uint64_t at_ = 0;  // of the next record; 0: the header was not read yet
  bool is_broken_ = false;
};

}  // namespace dtrace::runtime
